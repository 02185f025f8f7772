# Makes tests/fixtures/rpart.json: trees that R's rpart grows, and its table of complexity parameters.
# Run from the root of the repository: Rscript tools/rpart_path.R > tests/fixtures/rpart.json
library(rpart)

quoted <- function(x) paste0("\"", x, "\"")
joined <- function(x) paste0("[", paste(x, collapse = ", "), "]")
exact <- function(x) sprintf("%.17g", x)

one <- function(name, data, target) {
  formula <- as.formula(paste(target, "~ ."))
  control <- rpart.control(cp = 0, minsplit = 2, minbucket = 1, xval = 0, maxcompete = 0,
                           maxsurrogate = 0, maxdepth = 30)
  tree <- rpart(formula, data, method = "class", control = control)
  frame <- tree$frame
  k <- length(attr(tree, "ylevels"))
  counts <- frame$yval2[, 2:(k + 1)]
  split <- 0
  nodes <- character()
  for (i in seq_len(nrow(frame))) {
    what <- "null"
    if (frame$var[i] != "<leaf>") {
      split <- split + 1
      what <- joined(c(quoted(as.character(frame$var[i])), exact(tree$splits[split, "index"])))
    }
    nodes[i] <- sprintf("{\"number\": %s, \"split\": %s, \"counts\": %s}",
                        row.names(frame)[i], what, joined(counts[i, ]))
  }
  table <- tree$cptable[, c("CP", "nsplit", "rel error"), drop = FALSE]
  rows <- apply(table, 1, function(row) joined(exact(row)))
  features <- setdiff(names(data), target)
  cat(sprintf("{\"name\": %s, \"features\": %s, \"classes\": %s,\n \"nodes\": [\n  %s],\n",
              quoted(name), joined(quoted(features)), joined(quoted(attr(tree, "ylevels"))),
              paste(nodes, collapse = ",\n  ")))
  cat(sprintf(" \"cptable\": [\n  %s]}", paste(rows, collapse = ",\n  ")))
}

set.seed(1)
noisy <- iris
noisy$Species[sample(150, 30)] <- sample(levels(iris$Species), 30, replace = TRUE)
cat(sprintf("{\"made by\": \"rpart %s, %s\", \"trees\": [\n", packageVersion("rpart"), R.version.string))
one("iris", iris, "Species")
cat(",\n")
one("iris with a fifth of its classes drawn anew", noisy, "Species")
cat(",\n")
one("kyphosis", kyphosis, "Kyphosis")
cat("]}\n")
