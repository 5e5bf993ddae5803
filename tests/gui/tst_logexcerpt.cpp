// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/tasks/logexcerpt.h"

#include <QTest>

using namespace trainyard;

// Lines of a log beside the reason of a failure: bash's name for the commands is cut to what says something.
class TstLogExcerpt : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesOfScripts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("shown");
        const QString folder = QStringLiteral("/home/a b/.local/state/trainyard/runs/j/0/w-0/0/");
        const QString script = QStringLiteral("task.sh"), commands = QStringLiteral("commands");
        const auto row
            = [](const char *what, const QString &name, const QString &shown) { QTest::newRow(what) << name << shown; };
        row("script", folder + script, script);
        row("script in memory", folder + QStringLiteral("sealed/task.sh"), script);
        row("commands before a step", folder + commands, commands);
        row("in a container", folder + QStringLiteral("inside/commands"), commands);
        row("descriptor", QStringLiteral("/dev/fd/9"), script);
        row("commands at a descriptor", QStringLiteral("/dev/fd/97"), commands);
        row("another script", QStringLiteral("/data/other.sh"), QStringLiteral("/data/other.sh"));
    }

    void namesOfScripts()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, shown);
        const QString said = QStringLiteral(": line 3: trainn: command not found");
        LogExcerpt excerpt;
        excerpt.setLines(0, {name + said}, std::nullopt);
        QCOMPARE(excerpt.toPlainText(), QString(QStringLiteral("1  ") + shown + said));
    }

    // Which part of a line Python means is of no use where the line wraps; the lines keep their numbers.
    void linesThatPointAreLeftOut()
    {
        LogExcerpt excerpt;
        excerpt.setLines(5,
            {QStringLiteral("    ^^^^"), QStringLiteral("  step(batch)"), QStringLiteral("  ~~~~^^^^^^^"),
                QStringLiteral("KeyError: '^'")},
            8);
        QCOMPARE(excerpt.toPlainText(), QStringLiteral("7    step(batch)\n9  KeyError: '^'"));
    }
};
TRAINYARD_GUI_TEST(TstLogExcerpt)

#include "tst_logexcerpt.moc"
