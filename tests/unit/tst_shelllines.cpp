// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/shelllines.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

class TstShellLines : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void reads_data();
    void reads();
};

void TstShellLines::reads_data()
{
    QTest::addColumn<QByteArray>("script");
    // A letter for each line: t text, c continued, i inside, C both of these, . a command
    QTest::addColumn<QByteArray>("lines");
    const auto row = [](const char *name, const QByteArray &script, const QByteArray &lines) {
        QTest::newRow(name) << script << lines;
    };
    row("commands", "a\nb\n", "..");
    row("heredoc", "cat <<EOF\na\n EOF\nEOF\nb\n", ".ttt.");
    row("single quotes", "cat << 'E F'\na\nE F\nb\n", ".tt.");
    row("double quotes", "cat <<\"EOF\" > x\nEOF \nEOF\nb\n", ".tt.");
    row("backslash", "cat <<\\EOF\na\\\nEOF\nb\n", ".tt.");
    row("tabs", "cat <<-EOF\n\ta\n\t\tEOF\nb\n", ".tt.");
    row("tabs without the dash", "cat <<EOF\n\tEOF\nEOF\nb\n", ".tt.");
    row("odd word", "cat <<!end-1 | b\na\n!end-1\nb\n", ".tt.");
    row("empty word", "cat <<''\na\n\nb\n", ".tt.");
    row("two on a line", "cat <<A - <<B\na\nB\nA\na\nA\nB\nb\n", ".tttttt.");
    row("a joined end", "cat <<EOF\na \\\nEOF\nEOF\nb\n", ".ttt.");
    row("a joined end in quotes", "cat <<'EOF'\na \\\nEOF\nb\n", ".tt.");
    row("behind a joined line", "cat <<EOF \\\n | b\na\nEOF\nb\n", "c.tt.");
    row("in a substitution", "x=$(cat <<EOF\na ) '\nEOF\n)\nb\n", ".tti.");
    row("in a quoted substitution", "x=\"$(cat <<EOF\na\nEOF\n)\"\nb\n", "ctti.");
    row("here string", "cat <<<EOF\nEOF\n", "..");
    row("shift", "((x = 1 <<EOF))\ny=$((x <<EOF))\nEOF\n", "...");
    row("without an end", "cat <<EOF\na\n", "..");
    row("in a comment", "a # <<EOF\nEOF\n", "..");
    row("in quotes", "echo '<<EOF' \"<<EOF\" $'\\'<<EOF'\nEOF\n", "..");
    row("joined", "a \\\n b\n", "c.");
    row("a joined comment", "# a \\\nb\n", "..");
    row("two backslashes", "a \\\\\nb\n", "..");
    row("open quotes", "a \"x\n#y 'z\n\"\nb\n", "cCi.");
    row("open single quotes", "a 'x \"\ny\\' b\nc\n", "ci.");
    row("an apostrophe alone", "# it's\necho it\\'s\nb\n", "...");
    row("quotes that never close", "a\necho it's\nb\n", "...");
    row("quotes in quotes", "a \"$(b \"c\" '\"')\" \"${x:-it's}\"\nb\n", "..");
    row("parentheses", "x=(\na\n)\nb\n", ".ii.");
    row("arithmetic", "for ((i = 0; i < (2); ++i)); do\na $((i + (1)))\ndone\n", "...");
    row("patterns", "case $x in\na) b ;;\nesac\nc\n", "....");
    row("the number of arguments", "echo $# ${#x}\nb\n", "..");
}

void TstShellLines::reads()
{
    QFETCH(QByteArray, script);
    QByteArray got;
    for (const batch::ShellLine &line : batch::readShellLines(script.chopped(1).split('\n'))) {
        got += line.isText                      ? 't'
            : line.isContinued && line.isInside ? 'C'
            : line.isContinued                  ? 'c'
            : line.isInside                     ? 'i'
                                                : '.';
    }
    QTEST(got, "lines");
}

TRAINYARD_TEST(TstShellLines)
#include "tst_shelllines.moc"
