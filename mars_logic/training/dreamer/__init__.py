"""Configurations with which sheeprl trains DreamerV3 in worlds; its search path finds them."""
