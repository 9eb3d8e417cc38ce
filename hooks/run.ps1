# Runs the hook ENTRY on Windows without a POSIX shell: run.ps1 ENTRY <payload
#
# The same contract as the script "run" beside it, without its memory, which would save little
# next to the start of PowerShell itself.

param([string] $Entry)

if ($env:SESSION_MEMORY_DISABLE -and $env:SESSION_MEMORY_DISABLE -ne '0') { exit 0 }

$hook = Join-Path $PSScriptRoot "$Entry.py"
$found = Get-Command python3, python, py -CommandType Application -ErrorAction Ignore
foreach ($python in @($env:SESSION_MEMORY_PYTHON) + @($found.Source)) {
    if (-not $python) { continue }
    # Windows has placeholders for Python that only lead to its store; they fail here.
    try { $null | & $python -I -S -X utf8 $hook --probe *> $null } catch { continue }
    if ($LASTEXITCODE -ne 0) { continue }
    & $python -I -S -X utf8 $hook
    exit 0
}

[Console]::Error.WriteLine('session-memory: no Python 3.9 or newer on PATH')
exit 0
