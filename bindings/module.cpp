#include "arrays.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The kernels of planetree: what touches every row.";
    planetree::bindings::register_search(m);
    planetree::bindings::register_tree(m);
    planetree::bindings::register_learners(m);
    planetree::bindings::register_gradient_learners(m);
}
