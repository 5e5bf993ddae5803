// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/sshscripts.h"

namespace trainyard::sshscripts
{
namespace
{

// The remote side is a user's login shell of any kind: one line, single quotes around, and inside no single quote, no
// backslash and no exclamation mark, which csh and fish read differently.
constexpr const char *folders
    = R"x("${XDG_CACHE_HOME:-$HOME/.cache}/trainyard" "${XDG_RUNTIME_DIR:-/nonexistent}/trainyard" )x"
      R"x("/var/tmp/trainyard-$(id -u)" "/dev/shm/trainyard-$(id -u)")x";

// A start-up file may leave a PATH without the programs that every system has, or with others of their names in front.
constexpr const char *ownPath = "o=$PATH; PATH=/usr/bin:/bin:/usr/sbin:/sbin${PATH:+:$PATH}; ";

// The free space where the folder $d is or would be; its first word is in KiB. It is reported before anything is tried
// there: a full disk may have space again by the time that the last folder has failed.
QByteArray tellRoom(const QByteArray &nonce)
{
    return "set --; for p in \"$d\" \"${d%/*}\" \"${d%/*/*}\"; do if [ -d \"$p\" ]; then "
           "set -- $(df -Pk \"$p\" 2>/dev/null | tail -n 1); echo \"TRAINYARD-ROOM "
        + nonce + " ${4:-} $d\"; break; fi; done; ";
}

// After tellRoom().
QByteArray skipIfFull(qsizetype size)
{
    return "if [ \"${4:-999999999}\" -lt " + QByteArray::number(size / 1024 + 1)
        + " ] 2>/dev/null; then continue; fi; ";
}

// The progress is reported each second, because ssh itself accepts far more than the line has transferred.
QByteArray copy(const QByteArray &nonce)
{
    return "while sleep 1 >/dev/null 2>&1 && [ -e \"$t\" ]; do echo; echo \"TRAINYARD-GOT " + nonce
        + " $(wc -c < \"$t\")\"; done & w=$!; cat > \"$t\"; { kill $w; wait $w; } 2>/dev/null; ";
}

// The hash into $h. A host of this computer's kind, which most are, runs no program for it.
QByteArray chooseHash(const QList<AgentPrograms::Program> &programs)
{
    QByteArray script = "h=" + programs.constFirst().hash + "; ";
    if (programs.size() > 1) {
        script += "case \"$(uname -m)\" in ";
        for (const AgentPrograms::Program &one : programs.sliced(1)) {
            script += one.processor + ") h=" + one.hash + ";; ";
        }
        script += "esac; ";
    }
    return script;
}

} // namespace

QByteArray serve(const QList<AgentPrograms::Program> &programs, const QByteArray &nonce)
{
    return ownPath + QByteArray("echo; echo \"TRAINYARD-PATH ") + nonce + " $SSH_CONNECTION\"; " + chooseHash(programs)
        + "for d in " + QByteArray(folders)
        + "; do if [ -L \"$d\" ]; then continue; fi; if [ -O \"$d\" ] && chmod 700 \"$d\" 2>/dev/null; then "
          "a=\"$d/agent-$h\"; if [ -O \"$a\" ] && [ -x \"$a\" ] && \"$a\" --version >/dev/null 2>&1 </dev/null; then "
          "echo \"TRAINYARD-FOUND "
        + nonce + " $d\"; PATH=$o; exec \"$a\" --serve " + nonce + "; fi; fi; done; echo; echo \"TRAINYARD-NEEDS-AGENT "
        + nonce + " $(uname -sm)\"";
}

QByteArray push(const QByteArray &hash, const QByteArray &nonce, qsizetype size)
{
    // The bytes come once: they go into the first folder that takes them and are copied on where they cannot be run.
    // When the connection is cut, its output goes nowhere, and that must not end it before it has removed them.
    const QByteArray name = "agent-" + hash;
    return ownPath + QByteArray("trap \"\" PIPE; umask 077; s=; echo; for d in ") + folders
        + "; do if [ -L \"$d\" ]; then continue; fi; " + tellRoom(nonce)
        + "mkdir -p \"$d\" 2>/dev/null; if [ -O \"$d\" ] && chmod 700 \"$d\" 2>/dev/null; then " + skipIfFull(size)
        + "t=\"$d/" + name + '.' + nonce + "\"; if true 2>/dev/null > \"$t\"; then if [ -z \"$s\" ]; then "
        + copy(nonce) + "s=\"$t\"; else cp \"$s\" \"$t\"; fi; chmod 700 \"$t\"; if [ \"$(wc -c < \"$t\")\" -ne "
        + QByteArray::number(size) + " ]; then echo; echo \"TRAINYARD-SHORT " + nonce
        + " $d\"; elif \"$t\" --version >/dev/null 2>&1 </dev/null; then mv -f \"$t\" \"$d/" + name
        + "\"; if [ \"$s\" = \"$t\" ]; then true; else rm -f \"$s\"; fi; echo; echo \"TRAINYARD-PUSHED " + nonce
        + " $d\"; exit 0; fi; if [ \"$s\" = \"$t\" ]; then true; else rm -f \"$t\"; fi; fi; fi; done; "
          "if [ -n \"$s\" ]; then rm -f \"$s\"; fi; echo; echo \"TRAINYARD-NOT-PUSHED "
        + nonce + "\"";
}

Refusal refusalIn(const QByteArray &answer, const QByteArray &nonce, qsizetype size)
{
    const QByteArray room = "TRAINYARD-ROOM " + nonce + ' ';
    const QByteArray shortWrite = "TRAINYARD-SHORT " + nonce + ' ';
    const QList<QByteArray> lines = answer.split('\n');
    Refusal refusal;
    for (const QByteArray &line : lines) {
        const qsizetype blank = line.indexOf(' ', room.size());
        bool isKnown = false;
        const qint64 free = line.mid(room.size(), blank - room.size()).toLongLong(&isKnown) * 1024;
        if (line.startsWith(room) && isKnown && free <= size) {
            return {Refusal::Kind::NoRoom, line.mid(blank + 1), free};
        }
        if (line.startsWith(shortWrite) && refusal.kind == Refusal::Kind::CannotRun) {
            refusal = {Refusal::Kind::Short, line.mid(shortWrite.size())};
        }
    }
    return refusal;
}

} // namespace trainyard::sshscripts
