// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpailog.h"

#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "model/base/utf8.h"

#include <QFile>
#include <QJsonArray>
#include <QMap>
#include <QPointer>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype comparedBytes = 1024;
constexpr int statusRange = 416; // there is nothing from that place on

bool mayGoLater(const OpenPaiClient::Answer &answer)
{
    const openpai::Verdict verdict = answer.failure.verdict;
    return verdict == openpai::Verdict::Silent || verdict == openpai::Verdict::Busy
        || verdict == openpai::Verdict::Login;
}

QMap<QString, QString> urisOf(const OpenPaiClient::Answer &answer)
{
    QMap<QString, QString> uris;
    const QJsonArray locations = answer.object().value("locations"_L1).toArray();
    for (const QJsonValue &each : locations) {
        uris.insert(each.toObject().value("name"_L1).toString(), each.toObject().value("uri"_L1).toString());
    }
    return uris;
}

} // namespace

// ---- what was taken ----

QByteArray GrowingText::take(const QByteArray &bytes)
{
    m_isLineFeedHeld = bytes.endsWith('\n');
    const QByteArray shown = m_isLineFeedHeld ? bytes.chopped(1) : bytes;
    m_last += shown;
    m_last = m_last.right(comparedBytes);
    m_taken += shown.size();
    return shown;
}

// It begins with the line feed that is held back: the server was asked from there.
QByteArray GrowingText::more(const QByteArray &bytes) { return take(bytes); }

std::optional<QByteArray> GrowingText::whole(const QByteArray &bytes)
{
    if (bytes.size() < m_taken || bytes.mid(m_taken - m_last.size(), m_last.size()) != m_last) {
        return std::nullopt;
    }
    return take(bytes.mid(m_taken));
}

QByteArray GrowingText::end(const QByteArray &tail)
{
    const qsizetype at = m_last.isEmpty() ? -1 : tail.lastIndexOf(m_last);
    if (at >= 0) {
        return take(tail.mid(at + m_last.size()));
    }
    // It begins anywhere, perhaps in the middle of a secret, whose rest could not be recognized.
    const auto isLineEnd = [](char each) { return each == '\n' || each == '\r'; };
    const auto end = std::find_if(tail.begin(), tail.end(), isLineEnd);
    if (end == tail.end()) {
        return {};
    }
    const QByteArray held = rest(); // before take(), which may hold back another one
    return held + take(tail.mid(end - tail.begin() + 1));
}

QByteArray GrowingText::rest() { return std::exchange(m_isLineFeedHeld, false) ? QByteArray("\n") : QByteArray(); }

void GrowingText::restart()
{
    m_taken = 0;
    m_last.clear();
    m_isLineFeedHeld = false;
}

// ---- one try ----

OpenPaiLog::OpenPaiLog(
    OpenPaiClient &client, const QString &folder, const QStringList &secrets, const CopyReserve &reserve)
    : m_client(client), m_folder(folder), m_secrets(utf8Of(secrets)), m_reserve(reserve)
{
    m_files.push_back({u"all"_s, QString::fromLatin1(contract::file::output), {}, false, {}, {}});
    m_files.push_back({QString::fromLatin1(contract::file::runtime), QString::fromLatin1(contract::file::runtime), {},
        false, {}, {}});
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        m_maskers.emplace_back(m_secrets);
    }
}

OpenPaiLog::~OpenPaiLog() = default;

void OpenPaiLog::look(const Place &place, const std::function<void()> &then)
{
    if (m_isBusy) {
        return;
    }
    m_isBusy = true;
    m_wasHad = true;
    m_then = then;
    if (place != m_place) {
        for (File &file : m_files) {
            if (file.text.taken() > 0) { // of the try before: it ends with a line
                append(file, "\n");
            }
            file.text.restart();
        }
        m_place = place;
    }
    contract::makeFolders(pathBytes(m_folder));
    m_client.logs(place.name, place.attempt, place.role, place.index, place.taskAttempt, false,
        [guard = QPointer(this)](const OpenPaiClient::Answer &answer) {
            if (guard) {
                guard->listed(answer);
            }
        });
}

void OpenPaiLog::listed(const OpenPaiClient::Answer &answer)
{
    if (!answer.isGood()) {
        m_wasHad = !mayGoLater(answer);
        finish();
        return;
    }
    const QMap<QString, QString> uris = urisOf(answer);
    for (File &file : m_files) {
        // Some clusters keep both streams apart only.
        const QString name = file.there == "all"_L1 && !uris.contains(file.there) ? u"stdout"_s : file.there;
        file.uri = uris.value(name);
        file.rotatedUri = uris.value(name + u".1"_s);
    }
    fetch(0);
}

void OpenPaiLog::fetch(std::size_t which)
{
    if (which >= m_files.size()) {
        finish();
        return;
    }
    File &file = m_files[which];
    const bool hasRoom = writeRest(file);
    m_wasHad = m_wasHad && hasRoom;
    if (file.uri.isEmpty() || !hasRoom) {
        fetch(which + 1);
        return;
    }
    m_client.content(file.uri, file.text.taken(), [guard = QPointer(this), which](const OpenPaiClient::Answer &answer) {
        if (guard) {
            guard->fetched(which, answer);
        }
    });
}

void OpenPaiLog::fetched(std::size_t which, const OpenPaiClient::Answer &answer)
{
    File &file = m_files[which];
    const qint64 taken = file.text.taken();
    if (answer.isTooLong) {
        m_knowsPlaces = false;
        takeEnd(which);
        return;
    }
    m_wasHad = m_wasHad && !mayGoLater(answer);
    const bool isShorter = answer.status == statusRange && answer.size >= 0 && answer.size < taken;
    if (answer.isGood() && answer.status == 206 && answer.from == taken) {
        append(file, file.text.more(answer.body));
    } else if (answer.isGood() && answer.status == 200) {
        m_knowsPlaces = m_knowsPlaces && taken == 0;
        if (const std::optional<QByteArray> fresh = file.text.whole(answer.body)) {
            append(file, *fresh);
        } else {
            takeRotated(which);
            return;
        }
    } else if (isShorter) {
        takeRotated(which);
        return;
    }
    m_wasHad = m_wasHad && file.unwritten.empty();
    fetch(which + 1);
}

// The file that was read has another name now, and a new one has taken its place.
void OpenPaiLog::takeRotated(std::size_t which)
{
    const auto goOn = [guard = QPointer(this), which](const OpenPaiClient::Answer &answer) {
        if (!guard) {
            return;
        }
        File &file = guard->m_files[which];
        if (answer.isGood() && answer.status == 206 && answer.from == file.text.taken()) {
            guard->append(file, file.text.more(answer.body));
        } else if (answer.isGood() && answer.status == 200) {
            guard->append(file, file.text.whole(answer.body).value_or(QByteArray()));
        }
        guard->append(file, file.text.rest());
        file.text.restart();
        guard->fetch(which);
    };
    const File &file = m_files[which];
    if (file.rotatedUri.isEmpty()) {
        OpenPaiClient::Answer none;
        none.failure.verdict = openpai::Verdict::Missing;
        goOn(none);
    } else {
        m_client.content(file.rotatedUri, file.text.taken(), goOn);
    }
}

// It is too long to be fetched as a whole repeatedly: only its end is kept.
void OpenPaiLog::takeEnd(std::size_t which)
{
    const auto take = [guard = QPointer(this), which](const OpenPaiClient::Answer &answer) {
        if (!guard) {
            return;
        }
        File &file = guard->m_files[which];
        if (answer.isGood() && answer.status == 200) {
            guard->append(file, file.text.end(answer.body));
        }
        guard->fetch(which + 1);
    };
    const auto listedTail = [guard = QPointer(this), which, take](const OpenPaiClient::Answer &answer) {
        if (!guard) {
            return;
        }
        const QString uri = urisOf(answer).value(guard->m_files[which].there);
        if (answer.isGood() && !uri.isEmpty()) {
            guard->m_client.content(uri, 0, take);
        } else {
            guard->fetch(which + 1);
        }
    };
    m_client.logs(m_place.name, m_place.attempt, m_place.role, m_place.index, m_place.taskAttempt, true, listedTail);
}

void OpenPaiLog::append(File &file, const QByteArray &bytes)
{
    if (bytes.isEmpty()) {
        return;
    }
    std::string shown;
    m_maskers[std::size_t(&file - m_files.data())].push({bytes.constData(), std::size_t(bytes.size())}, shown);
    write(file, shown);
}

void OpenPaiLog::write(File &file, const std::string &bytes)
{
    file.unwritten += bytes;
    writeRest(file);
}

bool OpenPaiLog::writeRest(File &file)
{
    if (file.unwritten.empty()) {
        return true;
    }
    m_lacksRoom = !leavesCopyReserve(m_folder, qint64(file.unwritten.size()), m_reserve, m_lacksRoom);
    if (m_lacksRoom) {
        return false;
    }
    const QString path = m_folder + u'/' + file.here;
    const bool isOutput = &file == &m_files.front();
    if (!file.isBegun) { // what a former engine has copied is copied again: it took note of nothing
        file.isBegun = true;
        QFile::remove(path);
        if (isOutput) {
            QFile::remove(m_folder + u'/' + QLatin1StringView(contract::file::index));
        }
    }
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        return false;
    }
    out.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    const qint64 offset = out.size(), size = qint64(file.unwritten.size());
    if (out.write(file.unwritten.data(), size) != size || (isOutput && !writeIndex(offset, file.unwritten))) {
        out.resize(offset); // a part of it would be there twice
        return false;
    }
    if (isOutput) {
        m_atLineBegin = file.unwritten.back() == '\n';
        m_bytes = offset + size;
    }
    file.unwritten.clear();
    return true;
}

bool OpenPaiLog::writeIndex(qint64 offset, const std::string &bytes)
{
    contract::IndexRecord record;
    record.offset = quint64(offset);
    record.timeNs = nowMs() * 1'000'000;
    record.length = quint32(bytes.size());
    record.flags = std::uint8_t((m_atLineBegin ? contract::indexflag::beginsLine : 0)
        | (bytes.back() == '\n' ? contract::indexflag::endsLine : 0));
    QFile index(m_folder + u'/' + QLatin1StringView(contract::file::index));
    if (!index.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) {
        return false;
    }
    index.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    const qint64 before = index.size();
    const auto bytesOfRecord = contract::encodeIndexRecord(record);
    const bool isWritten
        = index.write(bytesOfRecord.data(), qint64(bytesOfRecord.size())) == qint64(bytesOfRecord.size());
    if (!isWritten) {
        index.resize(before);
    }
    return isWritten;
}

void OpenPaiLog::finish()
{
    m_isBusy = false;
    if (const std::function<void()> then = std::exchange(m_then, {})) {
        then();
    }
}

void OpenPaiLog::end()
{
    for (File &file : m_files) {
        append(file, file.text.rest());
        std::string shown;
        m_maskers[std::size_t(&file - m_files.data())].finish(shown);
        write(file, shown);
    }
}

} // namespace trainyard
