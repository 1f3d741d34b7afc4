"""Pictures of the mathematics: SVG text from our own few lines, without a plotting library.

Every picture is 400 units wide, which is a phone's width, with no letter smaller than 9 units. It
has a light background, colours that people with any colour vision tell apart, and never says
anything by colour alone.
"""
