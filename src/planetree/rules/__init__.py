"""Rules: the paths of a tree as conjunctions, simplified one by one and put in order."""

from planetree.rules.file import load_rules
from planetree.rules.making import rules_of
from planetree.rules.values import Condition, Fired, Met, Rule, RuleSet

__all__ = ["Condition", "Fired", "Met", "Rule", "RuleSet", "load_rules", "rules_of"]
