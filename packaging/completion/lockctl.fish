# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of lockctl in fish. The program itself says what can come next.
function __lockctl_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l lines ($words[1] complete $words[2..-1] 2>/dev/null)
    if test "$lines" = ":files"
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $lines
    end
end
complete -c lockctl -f -a '(__lockctl_candidates)'
