"""Views of observations for people and learners: images, films, text on a terminal.

Nothing here touches a simulator's state: what is shown is a function of what is observed.
"""
