// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outputfile.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;

// Writing into a file that was read a moment ago.
class TstOutputFile : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void writesWhatIsStillThere();
    void leavesWhatOthersWrote();
};

namespace
{

bool put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

QByteArray got(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
}

} // namespace

void TstOutputFile::writesWhatIsStillThere()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    const QString link = dir.filePath(QStringLiteral("link.yaml"));
    QVERIFY(put(path, "name: a\n"));
    QVERIFY(QFile::link(path, link));
    QVERIFY(cli::writeInPlace(link, "name: a\n", "name: b\n"));
    QCOMPARE(got(path), QByteArray("name: b\n"));
    QVERIFY(QFileInfo(link).isSymLink());
}

void TstOutputFile::leavesWhatOthersWrote()
{
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("job.yaml"));
    QVERIFY(put(path, "name: theirs\n"));
    QVERIFY(!cli::writeInPlace(path, "name: a\n", "name: b\n"));
    QCOMPARE(got(path), QByteArray("name: theirs\n"));
}

TRAINYARD_TEST(TstOutputFile)
#include "tst_outputfile.moc"
