// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/whyanswer.h"

#include "app/cli/console.h"
#include "engine/core/why/whyfailed.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/scriptnames.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::why
{
namespace
{

// The end of an output, and the number of its first line.
struct OutputEnd {
    QByteArray bytes;
    qint64 firstLine = 1;
};

Result<OutputEnd> endOf(const QString &path)
{
    QFile file(path);
    const bool isInput = path == "-"_L1;
    if (!isInput && QFileInfo(path).isDir()) {
        return fail(u"file.unreadable"_s, {{u"file"_s, path}, {u"reason"_s, tr("it is a folder")}});
    }
    OutputEnd end;
    const auto drop = [&end](qsizetype size) {
        end.firstLine += std::count(end.bytes.cbegin(), end.bytes.cbegin() + size, '\n');
        end.bytes.remove(0, size);
    };
    bool isRead = isInput ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    while (isRead) {
        const QByteArray part = file.read(1024 * 1024);
        if (part.isEmpty()) {
            isRead = file.error() == QFileDevice::NoError;
            break;
        }
        end.bytes += part;
        if (end.bytes.size() > 2 * core::whySearchedBytes) {
            drop(end.bytes.size() - core::whySearchedBytes);
        }
    }
    if (!isRead) {
        return fail(u"file.unreadable"_s, {{u"file"_s, inputName(path)}, {u"reason"_s, file.errorString()}});
    }
    return end;
}

QJsonArray changesJson(const QList<JobChange> &changes)
{
    QJsonArray all;
    for (const JobChange &change : changes) {
        all.append(
            QJsonObject{{u"path"_s, change.path.toPointer()}, {u"value"_s, change.to}, {u"label"_s, change.code}});
    }
    return all;
}

QJsonObject factsJson(const FailureFacts &facts, const FailureWords &words, const QList<JobChange> &changes)
{
    const QJsonValue line
        = facts.line == 0 ? QJsonValue() : QJsonValue(QJsonObject{{u"line"_s, facts.line}, {u"text"_s, facts.text}});
    const bool isShown = facts.showsLine();
    const QJsonValue frame = facts.file.isEmpty() ? QJsonValue()
                                                  : QJsonValue(QJsonObject{{u"file"_s, facts.file},
                                                      {u"line"_s, facts.fileLine}, {u"function"_s, facts.function}});
    return {{u"cause"_s, facts.cause}, {u"certainty"_s, facts.certainty},
        {u"evidence"_s, isShown ? line : QJsonValue()}, {u"lastLine"_s, isShown ? QJsonValue() : line},
        {u"task"_s, facts.task.isEmpty() ? QJsonValue() : QJsonValue(facts.task)}, {u"frame"_s, frame},
        {u"explanation"_s, words.explanation()}, {u"remedies"_s, QJsonArray::fromStringList(words.remedies)},
        {u"changes"_s, changesJson(changes)},
        {u"transient"_s, facts.transient ? QJsonValue(*facts.transient) : QJsonValue()}};
}

} // namespace

Result<FailureFacts> factsOfLog(const QString &path, std::optional<int> status)
{
    const Result<OutputEnd> end = endOf(path);
    if (!end) {
        return tl::unexpected(end.error());
    }
    return core::whyFailed(
        FailureCauses::bundled(), {.status = status, .output = end->bytes, .firstLine = end->firstLine});
}

void say(const FailureFacts &facts, const FailureWords &words, const Manner &manner, const QList<JobChange> &changes)
{
    if (manner.json || manner.several) {
        QJsonObject object = factsJson(facts, words, changes);
        if (manner.health) {
            object.insert(u"health"_s, *manner.health);
        }
        if (!manner.task.isEmpty()) {
            object.insert(u"explainedTask"_s, manner.task);
        }
        if (manner.waits) {
            object.insert(u"waits"_s, *manner.waits);
        }
        if (manner.several) {
            manner.several->append(object);
        } else {
            outJson(QJsonDocument(object));
        }
        return;
    }
    // Where the cause is with another task, the sentence names that one.
    const bool saysTask = manner.saysTask && !manner.task.isEmpty() && facts.task.isEmpty();
    outSentence(paint(Colour::Bold, saysTask ? tr("%1: %2").arg(manner.task, words.sentence) : words.sentence));
    if (facts.line > 0) {
        outSentence(u"  "_s
            + (facts.showsLine() ? tr("Line %1: %2") : tr("Last line, %1: %2"))
                  .arg(QString::number(facts.line), withShortScriptName(facts.text)));
    }
    if (!words.place.isEmpty()) {
        outSentence(u"  "_s + tr("In %1").arg(words.place));
    }
    if (facts.transient && *facts.transient) {
        outSentence(u"  "_s + tr("The same job may succeed when it runs again."));
    }
    if (!words.remedies.isEmpty()) {
        outSentence(tr("What to do:"));
        for (const QString &remedy : words.remedies) {
            outSentence(u"  - "_s + remedy);
        }
    }
    if (!changes.isEmpty()) {
        outSentence(tr("In the text of the job:"));
        for (const JobChange &change : changes) {
            const ChangeWords each = changeWords(change);
            outSentence(u"  - "_s + tr("%1. %2.").arg(each.title, each.detail));
        }
    }
}

} // namespace trainyard::cli::why
