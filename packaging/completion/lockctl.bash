# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of lockctl in bash. The program itself says what can come next.
_lockctl() {
    # Bash cuts words at colons, and URLs, holders and names are full of them: they are put together again.
    local -a words=()
    local rest=${COMP_LINE:0:COMP_POINT} i space
    for ((i = 0; i <= COMP_CWORD; i++)); do
        space=${rest%%[![:space:]]*}
        rest=${rest#"$space"}
        local piece=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && piece=$rest
        if [[ $i -gt 0 && -z $space && -n $piece ]]; then
            words[-1]+=$piece
        else
            words+=("$piece")
        fi
        rest=${rest#"$piece"}
    done

    local current=${words[-1]} line
    local before=${current%"${current##*[:=]}"} # bash replaces only what comes after it
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
        fi
        line=${line%%$'\t'*}
        COMPREPLY+=("$(printf '%q' "${line#"$before"}")")
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _lockctl lockctl
