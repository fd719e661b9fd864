"""The completions of shells. Run: completion.py PROGRAM; from the project's root.

They hold every option of --help, each shell finds no fault in them, and bash completes options,
values, commands and topics. Shells that are not installed are skipped, and said."""
import os, re, shutil, subprocess, sys, tempfile

program = os.path.abspath(sys.argv[1])
bad, without = [], []
options = re.findall(r'^ +(?:-\w, )?--([a-z-]+)', subprocess.run([program, '--help'], capture_output=True,
                                                                 text=True).stdout, re.M)


def script(shell):
    p = subprocess.run([program, 'help', 'completion-' + shell], capture_output=True, text=True)
    if p.returncode:
        bad.append('no completion for %s: %s' % (shell, p.stderr))
    return p.stdout


with tempfile.TemporaryDirectory() as work:
    for shell, form in (('bash', '--%s'), ('zsh', '--%s'), ('fish', '-l %s ')):
        text = script(shell)
        bad.extend('%s: no --%s' % (shell, o) for o in options if form % o not in text)
        path = os.path.join(work, shell)
        with open(path, 'w') as f:
            f.write(text)
        if not shutil.which(shell):
            without.append(shell)
            continue
        p = subprocess.run([shell, '-n', path], capture_output=True, text=True)
        if p.returncode or p.stderr:
            bad.append('%s -n: %s' % (shell, p.stderr))

    def complete(line):
        words = line.split(' ')
        code = 'PATH=%s:$PATH; source %s/bash; COMP_WORDS=(%s); COMP_CWORD=%d; _stalldiff; printf "%%s\\n" "${COMPREPLY[@]}"'
        code %= (os.path.dirname(program), work, ' '.join("'%s'" % w for w in words), len(words) - 1)
        return subprocess.run(['bash', '-c', code], capture_output=True, text=True, cwd=work).stdout.split()

    if 'bash' not in without:
        for line, want in (('stalldiff --num', ['--num-workers']), ('stalldiff show --gat', []),
                           ('stalldiff --gat', ['--gate']), ('stalldiff --gate no', ['no-regression']),
                           ('stalldiff --plot p', ['png', 'pdf']), ('stalldiff ser', ['series']),
                           ('stalldiff help heavy_per', ['heavy_periodic']), ('stalldiff show ba', ['bash']),
                           ('stalldiff --labels b', []), ('stalldiff --broken ba', ['bash']),
                           ('stalldiff show --format chr', ['chrome'])):
            got = complete(line)
            if got != want:
                bad.append('%r completes to %s, not %s' % (line, got, want))
p = subprocess.run([program, 'help', 'completion-tcsh'], capture_output=True, text=True)
if p.returncode != 2 or 'no help topic' not in p.stderr:
    bad.append('completion-tcsh: %d %s' % (p.returncode, p.stderr))
print('\n'.join(bad) or '%d options complete%s' % (len(options), '; not installed: ' + ' '.join(without) if without else ''))
sys.exit(1 if bad else 0)
