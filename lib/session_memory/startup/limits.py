"""How much the start-up check may take: seconds, processes, candidates, lines.

Every wait comes out of one deadline a run. It is far shorter than the timeout that is registered
for the hook, and than the hook's own deadline.
"""

# A run of the hook. What has no answer by then stays undecided.
RUN_S = 6.0
# A run by hand may wait for the slower parts one after the other.
MANUAL_RUN_S = 20.0

# Evidence from local objects, for all candidates together.
FREE_S = 5.0
# Evidence that has to be asked for, for all candidates together, and candidates a category.
PAID_S = 10.0
PER_CATEGORY = 20

# One call of git over the network, and one of gh.
GIT_NETWORK_S = 5.0
GH_S = 3.0

# What is kept for the report, once the run is over.
RESERVE_S = 0.5

# Lines for branches that an agent made; other branches are shown up to MAX_LINES.
CLAUDE_LINES = 10
MAX_LINES = 25

# How many processes run side by side.
WIDTH = 4
