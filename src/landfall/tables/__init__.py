"""Tables: matches with people, who have seats, invitations, clocks, undo, stand-ins and chat. Needs no web."""
