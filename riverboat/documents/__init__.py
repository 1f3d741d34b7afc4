"""Documents for people with a pen: win page, close slip, day report, as data and as PDF."""
