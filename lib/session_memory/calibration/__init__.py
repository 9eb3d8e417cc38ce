"""How closely reviews look: findings by pull request, and what follows from them (SMC-09, 10, 11).

:mod:`.file` keeps ``review-data.json``, :mod:`.writing` adds to it, :mod:`.aggregate` derives the
prosecution depth and the state that belongs to it, :mod:`.rebuild` restores what pull requests say,
and :mod:`.snapshot` is what one dispatch goes by.
"""
