"""The workbench: a local page on which a world is written, with what follows from it beside.

The text and all that follows from it (``draft``, ``reading``, ``panels``…) know nothing of the
page; ``page`` and the files beside it show them with NiceGUI, which the extra ``edit`` brings.
"""
