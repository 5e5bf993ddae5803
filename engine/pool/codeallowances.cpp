// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/codeallowances.h"

#include "engine/client/wholefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 growth = 2;
constexpr qsizetype mostFolders = 1000;
constexpr qint64 mostBytesOfFile = 4 << 20;

} // namespace

QJsonObject CodeAllowances::read() const
{
    QFile file(m_file);
    QJsonObject folders = file.open(QIODevice::ReadOnly)
        ? QJsonDocument::fromJson(file.read(mostBytesOfFile)).object().value("folders"_L1).toObject()
        : QJsonObject();
    for (auto it = m_unwritten.constBegin(); it != m_unwritten.constEnd(); ++it) {
        folders.insert(it.key(), it.value());
    }
    return folders;
}

CodeLimits CodeAllowances::widened(const CodeLimits &limits, const QString &folder) const
{
    const QJsonObject said = read().value(QDir::cleanPath(folder)).toObject();
    CodeLimits wide = limits;
    const auto grown = [&said](const char *key) { // users may edit the file
        return growth * std::clamp<qint64>(said.value(QLatin1StringView(key)).toInteger(), 0, qint64(1) << 60);
    };
    wide.bytes = std::max(limits.bytes, grown("bytes"));
    wide.files = std::max<qsizetype>(limits.files, grown("files"));
    return wide;
}

void CodeAllowances::allow(const QString &folder, qint64 bytes, qint64 files, qint64 nowMs)
{
    QJsonObject folders = read();
    folders.insert(QDir::cleanPath(folder), QJsonObject{{u"bytes"_s, bytes}, {u"files"_s, files}, {u"at"_s, nowMs}});
    while (folders.size() > mostFolders) {
        auto oldest = folders.begin();
        for (auto it = folders.begin(); it != folders.end(); ++it) {
            if (it.value()["at"_L1].toInteger() < oldest.value()["at"_L1].toInteger()) {
                oldest = it;
            }
        }
        folders.erase(oldest);
    }
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    const QByteArray bytesOfFile = QJsonDocument(QJsonObject{{u"folders"_s, folders}}).toJson();
    if (file.open(QIODevice::WriteOnly) && !writeWhole(file, bytesOfFile)) {
        m_unwritten = {};
    } else {
        m_unwritten = folders;
    }
}

} // namespace trainyard
