// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/shellerrors.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a shell says of its script, and which scripts are the user's own files.
class TstShellErrors : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void places_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<bool>("isOwnScript");
        const QByteArray folder = "/home/a/.local/state/trainyard/runs/j/0/w-0/0/";
        QTest::newRow("script of the task") << QByteArray(folder + "task.sh") << false;
        QTest::newRow("script in memory") << QByteArray(folder + "sealed/task.sh") << false;
        QTest::newRow("script in a container") << QByteArray(folder + "inside/task.sh") << false;
        QTest::newRow("commands before a step") << QByteArray(folder + "commands") << false;
        QTest::newRow("the same in a container") << QByteArray(folder + "inside/commands") << false;
        QTest::newRow("descriptor") << QByteArray("/dev/fd/9") << false;
        QTest::newRow("script of the user's") << QByteArray("run/train.sh") << true;
        QTest::newRow("script of the user's with such a name") << QByteArray("/home/a/tools/commands") << true;
    }

    void places()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const bool, isOwnScript);
        const QByteArray line = file + ": line 3: trainn: command not found";
        const std::optional<core::ShellError> error = core::shellErrorIn(line);
        QVERIFY(error);
        QCOMPARE(error->said, u"trainn: command not found"_s);
        QCOMPARE(error->place.has_value(), isOwnScript);
    }
};
TRAINYARD_TEST(TstShellErrors)

#include "tst_shellerrors.moc"
