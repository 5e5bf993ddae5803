// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/notewriter.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Many notes of allocations, written aside.
class TstNoteWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allAreThereBeforeItIsTold();
    void tellsWhatFailed();
    void endsWithWhatIsUnderWay();

private:
    static QByteArray contents(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    // One in a folder of its own for each of so many.
    static std::vector<NoteWriter::Note> notesIn(const QTemporaryDir &folder, int count, const QByteArray &text)
    {
        std::vector<NoteWriter::Note> notes;
        for (int i = 0; i < count; ++i) {
            const QString place = folder.filePath(QString::number(i));
            QDir().mkpath(place);
            notes.push_back({place + u"/sent"_s, text + QByteArray::number(i)});
        }
        return notes;
    }
};

// Whoever asks goes on meanwhile; what is asked for later comes later.
void TstNoteWriter::allAreThereBeforeItIsTold()
{
    constexpr int count = 200;
    QTemporaryDir folder;
    NoteWriter writer;
    QStringList told;
    writer.write(notesIn(folder, count, "first "), [&](const Result<void> &done) {
        bool areThere = done.has_value();
        for (int i = 0; i < count; ++i) {
            const QByteArray has = contents(folder.filePath(QString::number(i) + u"/sent"_s));
            // The later ones may be there as well by now.
            areThere
                = areThere && (has == "first " + QByteArray::number(i) || has == "second " + QByteArray::number(i));
        }
        told.append(areThere ? u"first"_s : u"missing"_s);
    });
    writer.write(notesIn(folder, count, "second "), [&](const Result<void> &) { told.append(u"second"_s); });
    QVERIFY(told.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(told, (QStringList{u"first"_s, u"second"_s}), 60'000);
    QCOMPARE(contents(folder.filePath(u"7/sent"_s)), QByteArray("second 7"));
    QCOMPARE(QDir(folder.filePath(u"7"_s)).entryList(QDir::Files), QStringList{u"sent"_s}); // nothing half-written
}

void TstNoteWriter::tellsWhatFailed()
{
    QTemporaryDir folder;
    NoteWriter writer;
    std::vector<NoteWriter::Note> notes = notesIn(folder, 3, "note ");
    QVERIFY(QDir().rmdir(folder.filePath(u"1"_s)));
    std::optional<Result<void>> result;
    writer.write(std::move(notes), [&result](const Result<void> &done) { result = done; });
    QTRY_VERIFY_WITH_TIMEOUT(result.has_value(), 20'000);
    QVERIFY(!*result);
    QCOMPARE(result->error().code, u"slurm.folder"_s);
    QCOMPARE(result->error().args.value(u"folder"_s), QJsonValue(folder.filePath(u"1"_s)));
}

void TstNoteWriter::endsWithWhatIsUnderWay()
{
    QTemporaryDir folder;
    int told = 0;
    {
        NoteWriter writer;
        writer.write(notesIn(folder, 3, "note "), [&told](const Result<void> &) { ++told; });
    }
    QCOMPARE(contents(folder.filePath(u"2/sent"_s)), QByteArray("note 2"));
    QCoreApplication::processEvents();
    QCOMPARE(told, 0);
}

TRAINYARD_TEST(TstNoteWriter)
#include "tst_notewriter.moc"
