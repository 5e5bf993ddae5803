// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/bringplan.h"

#include "engine/contract/taskfiles.h"

#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// Bytes. What a file system takes, and what the parts of a name may have of it.
constexpr qsizetype longestFileName = 255, longestMark = 180, longestSuffix = 64;

qsizetype utf8Size(const QString &text) { return text.toUtf8().size(); }

// Without part of a character.
QString shortened(QString text, qsizetype bytes)
{
    while (!text.isEmpty() && utf8Size(text) > bytes) {
        const bool isPair
            = text.size() > 1 && text.back().isLowSurrogate() && text.at(text.size() - 2).isHighSurrogate();
        text.chop(isPair ? 2 : 1);
    }
    return text;
}

} // namespace

QJsonObject toJson(const BringBook &book)
{
    QJsonObject json;
    for (auto it = book.cbegin(); it != book.cend(); ++it) {
        QJsonArray one{it->bytes, it->changedNs, it->order, it->name, it->bytesHere, it->changedHereNs};
        if (!it->host.isEmpty() || !it->kept.isEmpty()) {
            one.append(it->host);
            one.append(QJsonArray::fromStringList(it->kept));
        }
        json.insert(it.key(), one);
    }
    return json;
}

BringBook bookFromJson(const QJsonObject &json)
{
    BringBook book;
    for (auto it = json.constBegin(); it != json.constEnd(); ++it) {
        const QJsonArray one = it->toArray();
        KnownFile known{one.at(0).toInteger(), one.at(1).toInteger(), one.at(2).toInteger(), one.at(3).toString(),
            one.at(4).toInteger(), one.at(5).toInteger(), one.at(6).toString()};
        const QJsonArray kept = one.at(7).toArray();
        for (const QJsonValue &name : kept) {
            if (contract::isPlainFilePath(name.toString().toStdString())) {
                known.kept.append(name.toString());
            }
        }
        if (contract::isPlainFilePath(known.name.toStdString())) {
            book.insert(it.key(), known);
        }
    }
    return book;
}

BringPlan planOf(const QList<BringFile> &files, const QStringList &globs, const BringBook &book, qint64 order,
    const BringLimits &limits)
{
    std::vector<std::string> wanted;
    for (const QString &glob : globs) {
        wanted.push_back(glob.toStdString());
    }
    BringPlan plan;
    QList<BringFile> changed;
    for (const BringFile &file : files) {
        const std::string path = file.path.toStdString();
        const bool isOurs = path.starts_with(".trainyard-") || path.find("/.trainyard-") != std::string::npos;
        const bool isOfSize = file.bytes >= 0 && file.bytes <= mostFileBytes;
        if (isOurs || !isOfSize || !contract::isPlainFilePath(path) || !contract::matchesAnyGlob(wanted, path)) {
            ++plan.unsafe;
            continue;
        }
        const auto known = book.constFind(file.path);
        const bool isSame = known != book.cend() && known->bytes == file.bytes && known->changedNs == file.changedNs;
        const bool isOfLater = !isSame && known != book.cend() && known->order > order;
        if (isSame || isOfLater) {
            plan.ofLater += isOfLater ? 1 : 0;
            continue;
        }
        if (limits.fileBytes > 0 && file.bytes > limits.fileBytes) {
            plan.tooLarge.append(file);
        } else {
            changed.append(file);
        }
    }
    std::sort(changed.begin(), changed.end(), [](const BringFile &a, const BringFile &b) {
        return a.bytes != b.bytes ? a.bytes < b.bytes : a.path < b.path;
    });
    qint64 all = 0;
    qsizetype count = book.size();
    for (const KnownFile &known : book) {
        all += known.bytes;
    }
    for (const BringFile &file : std::as_const(changed)) {
        const auto known = book.constFind(file.path);
        const bool isNew = known == book.cend();
        const qint64 more = file.bytes - (isNew ? 0 : known->bytes);
        const bool hasRoom = (limits.allBytes <= 0 || all + more <= limits.allBytes)
            && (limits.files <= 0 || !isNew || count < limits.files);
        if (!hasRoom) {
            plan.beyond.append(file);
            continue;
        }
        all += more;
        count += isNew ? 1 : 0;
        plan.bytes += file.bytes;
        plan.files.append(file);
    }
    if (limits.allBytes > 0) {
        plan.spareBytes = std::max<qint64>(0, limits.allBytes - all);
    }
    return plan;
}

qint64 bringOrder(qint64 attempt, qint64 taskTry)
{
    constexpr qint64 tries = 1'000'000; // of an attempt; there are fewer
    return attempt * tries + taskTry;
}

QString numberedName(const QString &name, int number) { return markedName(name, QString::number(number)); }

QString markedName(const QString &name, const QString &mark)
{
    const qsizetype slash = name.lastIndexOf(u'/');
    const qsizetype dot = name.lastIndexOf(u'.');
    const qsizetype at = dot > slash + 1 && utf8Size(name.mid(dot)) <= longestSuffix ? dot : name.size();
    const QString tail = u'~' + shortened(mark, longestMark) + name.mid(at);
    const QString stem = shortened(name.sliced(slash + 1, at - slash - 1), longestFileName - utf8Size(tail));
    return name.first(slash + 1) + stem + tail;
}

QString folderName(const QString &text)
{
    constexpr qsizetype longest = 100;
    QString name;
    for (const QChar c : text.first(std::min(longest, text.size()))) {
        const bool isPlain
            = c.unicode() < 0x80 ? c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.' : c.isLetterOrNumber();
        name += isPlain ? c : QChar(u'_');
    }
    while (name.startsWith(u'.')) {
        name[0] = u'_';
    }
    return name.isEmpty() ? u"_"_s : shortened(name, longestMark);
}

QString resultsFolder(const QString &to, const QString &jobFile, const QString &home, const QString &fallback)
{
    const QString folder = to.isEmpty() ? u"results"_s : to;
    if (folder.startsWith(u'/')) {
        return folder;
    }
    if (folder == "~"_L1 || folder.startsWith("~/"_L1)) {
        return home + folder.mid(1);
    }
    return (jobFile.isEmpty() ? fallback : QFileInfo(jobFile).path()) + u'/' + folder;
}

QString resultsFolderOfJob(qint64 number, const QString &name)
{
    return QString::number(number) + u'-' + folderName(name);
}

QString resultsFolderOfTask(const QString &role, int index) { return folderName(role) + u'-' + QString::number(index); }

} // namespace trainyard
