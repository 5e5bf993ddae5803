// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/completions.h"
#include "app/cli/helptext.h"
#include "app/cli/manual.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard::cli;

// The table of commands is read by the parser, the help, the manual and the completions: each has all of it.
class TstCommandTable : public QObject
{
    Q_OBJECT

    // As few words as a form takes. Where nothing less fits, a word that each reader of values accepts.
    static QStringList leastArguments(const Form &form)
    {
        QStringList words = form.word.isEmpty() ? QStringList() : QStringList{form.word};
        words += QStringList(form.operands.least, u"1"_s);
        return words;
    }

    static QString valueFor(const Option &option)
    {
        const bool isSpan = option.value == "SPAN"_L1 || option.value == "TIME"_L1;
        return !option.values.isEmpty() ? option.values.constFirst() : isSpan ? u"1d"_s : u"1"_s;
    }

    static bool belongs(const Option &option, const Form &form)
    {
        return option.of.isEmpty() || option.of.contains(form.word);
    }

    static void eachOption()
    {
        QTest::addColumn<int>("command");
        QTest::addColumn<int>("option");
        for (int i = 0; i < commands().size(); ++i) {
            const Command &command = commands().at(i);
            for (int j = 0; j < command.options.size(); ++j) {
                QTest::addRow("%s --%s", qPrintable(command.name), qPrintable(command.options.at(j).name)) << i << j;
            }
        }
    }

    // From "trainyardctl NAME" to the next command, of the part of the page about commands.
    static QString manualOf(const Command &command)
    {
        static const QString page = QString::fromUtf8(manualPage(u"trainyardctl.1"_s))
                                        .remove(u"\\&"_s)
                                        .remove(u"\\:"_s)
                                        .replace(u"\\-"_s, u"-"_s);
        return page.section(u".SS \""_s + command.name + u"\"\n"_s, 1).section(u"\n.S"_s, 0, 0);
    }

    static QString partOf(const QString &script, const QString &from, const QString &to)
    {
        const qsizetype begin = script.indexOf(from);
        return begin < 0 ? QString() : script.sliced(begin, script.indexOf(to, begin) - begin);
    }

private Q_SLOTS:
    void optionsAreParsed_data() { eachOption(); }
    void optionsAreParsed()
    {
        QFETCH(int, command);
        QFETCH(int, option);
        const Command &whole = commands().at(command);
        const Option &one = whole.options.at(option);
        bool isAnywhere = false;
        for (const Form &form : whole.forms) {
            const QStringList least = leastArguments(form);
            const QString value = valueFor(one);
            QList<QStringList> ways;
            if (one.value.isEmpty()) {
                ways = {{one.shown()}};
            } else {
                ways = {{one.shown(), value}, {one.shown() + u'=' + value}};
            }
            if (!one.letter.isNull()) {
                ways.append(
                    one.value.isEmpty() ? QStringList{u"-"_s + one.letter} : QStringList{u"-"_s + one.letter, value});
            }
            for (const QStringList &way : std::as_const(ways)) {
                // Options and words may come in any order, unless what follows belongs to another program.
                const QString front = whole.complaint(way + least);
                const QString behind = whole.rest.isEmpty() ? whole.complaint(least + way) : front;
                QCOMPARE(front.isEmpty(), belongs(one, form));
                QCOMPARE(behind, front);
                const Arguments read = readArguments(whole, way + least);
                QVERIFY(read.options.contains(
                    std::pair<qsizetype, QString>(option, one.value.isEmpty() ? QString() : value)));
            }
            const QStringList wrong
                = least + QStringList{one.value.isEmpty() ? QString(one.shown() + u"=x"_s) : one.shown()};
            QVERIFY2(whole.complaint(wrong).contains(one.shown()), qPrintable(whole.complaint(wrong)));
            if (!one.value.isEmpty() && belongs(one, form)) {
                // An empty value is often a variable that is not set.
                for (const QStringList &empty :
                    {QStringList{one.shown(), QString()}, QStringList{QString(one.shown() + u'=')}}) {
                    const QString complaint = whole.complaint(empty + least);
                    QVERIFY2(complaint.contains(one.shown()) && complaint.contains(u"empty"_s), qPrintable(complaint));
                }
            }
            isAnywhere = isAnywhere || belongs(one, form);
        }
        QVERIFY(isAnywhere);
        for (const QString &form : one.of) {
            QVERIFY(std::any_of(
                whole.forms.cbegin(), whole.forms.cend(), [&form](const Form &each) { return each.word == form; }));
        }
    }

    void optionsAreTold_data() { eachOption(); }
    void optionsAreTold()
    {
        QFETCH(int, command);
        QFETCH(int, option);
        const Command &whole = commands().at(command);
        const Option &one = whole.options.at(option);
        const QString line = u"\n  "_s + one.spelled();
        QCOMPARE(helpOf(whole).contains(line + u"  "_s) || helpOf(whole).contains(line + u'\n'), !one.isHidden);
        QCOMPARE(manualOf(whole).contains(u".TP\n\\fB"_s + one.spelled() + u"\\fR\n"_s), !one.isHidden);
        QVERIFY(one.isHidden || manualOf(whole).contains(one.text.section(u' ', 1, 2)));

        static const QString inAnyBash = bashCompletion(), inAnyZsh = zshCompletion(), inAnyFish = fishCompletion();
        const QString bash = partOf(inAnyBash, u"    "_s + whole.name + u")\n"_s, u";;"_s);
        const QString zsh = partOf(inAnyZsh, u"    "_s + whole.name + u") _arguments"_s, u";;"_s);
        const QRegularExpression inZsh(u"'\\*?"_s + one.shown() + (one.value.isEmpty() ? u"\\["_s : u"=\\["_s));
        const QRegularExpression inFish(u"__fish_seen_subcommand_from "_s + whole.name + u"' -l "_s + one.name + u' ');
        QVERIFY(!bash.isEmpty() && !zsh.isEmpty());
        QCOMPARE(QString(bash).replace(u'\'', u' ').contains(QString(u' ' + one.shown() + u' ')), !one.isHidden);
        QCOMPARE(zsh.contains(inZsh), !one.isHidden);
        QCOMPARE(inAnyFish.contains(inFish), !one.isHidden);
    }

    // Keys of settings and words of the job language, which nobody knows by heart.
    void namesAreCompleted_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("word");
        QTest::newRow("a setting") << u"settings"_s << u"environment.allow"_s;
        QTest::newRow("a setting to be explained") << u"explain"_s << u"environment.allow"_s;
        QTest::newRow("a field") << u"explain"_s << u"minFailedInstances"_s;
        QTest::newRow("a variable") << u"explain"_s << u"TRAINYARD_CHECKPOINT_DIR"_s;
    }
    void namesAreCompleted()
    {
        QFETCH(const QString, command);
        QFETCH(const QString, word);
        static const QRegularExpression between(u"[\\s'()]+"_s);
        const QString bash = partOf(bashCompletion(), u"    "_s + command + u")\n"_s, u";;"_s);
        const QString zsh = partOf(zshCompletion(), u"    "_s + command + u") _arguments"_s, u";;"_s);
        QVERIFY(bash.split(between).contains(word));
        QVERIFY(zsh.split(between).contains(word));
        QVERIFY(!bash.split(between).contains(u"slurm.*"_s)); // whose end a user names
        QVERIFY(!bash.contains(u'<'));
    }

    void rangesAreTold()
    {
        const auto run = std::find_if(
            commands().cbegin(), commands().cend(), [](const Command &each) { return each.name == "run"_L1; });
        const QString complaint = run->complaint({u"x.yaml"_s, u"--priority"_s, u"99999999999"_s});
        QVERIFY2(complaint.contains(u"a whole number from -2147483648 to 2147483647"_s), qPrintable(complaint));
    }

    void statusesAreInOrder()
    {
        for (const Command &command : commands()) {
            for (qsizetype i = 1; i < command.exits.size(); ++i) {
                QVERIFY2(command.exits.at(i - 1).first < command.exits.at(i).first, qPrintable(command.name));
            }
        }
    }

    void commandsAreTold_data()
    {
        QTest::addColumn<int>("command");
        for (int i = 0; i < commands().size(); ++i) {
            QTest::newRow(qPrintable(commands().at(i).name)) << i;
        }
    }
    void commandsAreTold()
    {
        QFETCH(int, command);
        const Command &whole = commands().at(command);
        QVERIFY(programHelp().contains(u"\n  "_s + whole.name + u' '));
        const QString help = helpOf(whole);
        const QStringList lines = help.split(u'\n');
        for (const QString &line : lines) {
            QVERIFY2(line.size() <= 110, qPrintable(line));
        }
        const QStringList narrow = helpOf(whole, helpWidthOf(40)).split(u'\n');
        for (const QString &line : narrow) { // of an example and a synopsis no word may be moved
            QVERIFY2(line.size() <= 60 || line.startsWith(u' ') || line.startsWith(u"Usage: "_s), qPrintable(line));
        }
        QVERIFY(narrow.size() >= lines.size());
        QCOMPARE(helpWidthOf(80), 80);
        QCOMPARE(helpWidthOf(240), helpWidth);
        QVERIFY(help.startsWith(u"Usage: trainyardctl "_s + whole.name));
        QVERIFY(help.contains(u"Exit status:"_s));
        QStringList names;
        for (const Option &option : whole.options) {
            QVERIFY2(!names.contains(option.name), qPrintable(option.name));
            QVERIFY(option.letter.isNull() || !names.contains(QString(option.letter)));
            names << option.name << QString(option.letter);
            QVERIFY2(!option.text.isEmpty() && !option.text.endsWith(u'.'), qPrintable(option.name));
        }
        for (const QString &example : whole.examples) {
            QVERIFY2(example.contains(u"trainyardctl "_s), qPrintable(example));
        }
        const Form &form = whole.forms.constFirst();
        QVERIFY(whole.complaint(leastArguments(form)).isEmpty());
        QVERIFY(whole.complaint({u"--no-such-option"_s}).contains(u"There is no option '--no-such-option'."_s));
        if (isJobWord(form.operands.word)) {
            QStringList empty = leastArguments(form);
            empty.isEmpty() ? empty.append(QString()) : empty.last().clear();
            QVERIFY2(whole.complaint(empty).contains(u"empty argument"_s), qPrintable(whole.complaint(empty)));
        }
        if (form.operands.most != anyNumber && whole.rest.isEmpty()) {
            const QStringList many = leastArguments(form) + QStringList(form.operands.most + 1, u"1"_s);
            QVERIFY(!whole.complaint(many).isEmpty());
        }
    }

    // "hosts drain --help" has what belongs to drain, and nothing of the others.
    void helpOfForms()
    {
        for (const Command &whole : commands()) {
            for (const Form &form : whole.forms) {
                if (form.word.isEmpty() || whole.forms.size() < 2) {
                    continue;
                }
                const QString help = helpOf(partOfForm(whole, form.word));
                const QString usage = u"Usage: trainyardctl "_s + whole.name + u' ' + form.word;
                QVERIFY2(help.startsWith(usage), qPrintable(help));
                QCOMPARE(help.section(u"\n\n"_s, 0, 0).count(u"trainyardctl "_s), 1);
                for (const Option &one : whole.options) {
                    const QString line = u"\n  "_s + one.spelled();
                    const bool isTold = help.contains(line + u"  "_s) || help.contains(line + u'\n');
                    QVERIFY2(isTold == (!one.isHidden && belongs(one, form)), qPrintable(help + line));
                }
                QVERIFY(help.contains(u"'trainyardctl "_s + whole.name + u" --help'"_s));
            }
            if (whole.name == "hosts"_L1) {
                const QString drain = helpOf(partOfForm(whole, u"drain"_s)).simplified();
                QVERIFY2(
                    drain.contains(u"On a drained host"_s) && drain.contains(u"hosts drain lab1"_s), qPrintable(drain));
                QVERIFY2(!drain.contains(u"hosts clean"_s) && !drain.contains(u"hosts add ada"_s), qPrintable(drain));
            }
        }
    }

    // Commands that people copy from the documents and from the help are right.
    void documentsAreRight()
    {
        static const QRegularExpression call(u"trainyardctl ([a-z]+)((?: [^\\n`;|&<>()\"]*)?)"_s);
        static const QRegularExpression option(u"(?:^| )(--[a-z][a-z-]+)"_s);
        QStringList texts;
        const QString root = qEnvironmentVariable("TRAINYARD_SOURCE");
        QStringList files{root + u"/README.md"_s};
        for (QDirIterator it(root + u"/docs"_s, {u"*.md"_s}, QDir::Files); it.hasNext();) {
            files.append(it.next());
        }
        for (const QString &path : std::as_const(files)) {
            QFile file(path);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
            texts.append(QString::fromUtf8(file.readAll()));
        }
        for (const Command &command : commands()) {
            texts.append(command.examples.join(u'\n'));
        }
        int found = 0;
        for (const QString &text : std::as_const(texts)) {
            for (auto matches = call.globalMatch(text); matches.hasNext();) {
                const QRegularExpressionMatch match = matches.next();
                const auto command = std::find_if(commands().cbegin(), commands().cend(),
                    [&match](const Command &each) { return each.name == match.captured(1); });
                if (command == commands().cend()) {
                    continue; // a sentence about the program
                }
                const QString own = match.captured(2).section(u" -- "_s, 0, 0);
                for (auto options = option.globalMatch(own); options.hasNext();) {
                    const QString name = options.next().captured(1);
                    ++found;
                    QVERIFY2(name == programOptions().constFirst().shown()
                            || std::any_of(command->options.cbegin(), command->options.cend(),
                                [&name](const Option &each) { return each.shown() == name; }),
                        qPrintable(match.captured(0)));
                }
            }
        }
        QVERIFY(found > 10);
    }
};

TRAINYARD_TEST(TstCommandTable)
#include "tst_commandtable.moc"
