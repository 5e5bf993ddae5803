// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/sshnames.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int deepestInclude = 16; // ssh's own limit
constexpr qint64 longestConfig = 1 << 20;
constexpr int mostHosts = 2000;

// Blank or "=" after the keyword, and quotes around what has blanks.
QStringList sshWordsOf(const QString &line)
{
    static const QRegularExpression word(u"\"([^\"]*)\"|([^\\s\"]+)"_s);
    static const QRegularExpression equals(u"^(\\s*\\w+)\\s*=\\s*"_s);
    QString plain = line;
    plain.replace(equals, u"\\1 "_s);
    QStringList words;
    for (auto it = word.globalMatch(plain); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        words.append(match.captured(1) + match.captured(2));
    }
    return words;
}

class NameReader
{
public:
    void read(const QString &path, int depth)
    {
        QFile file(path);
        // A pipe would be waited for.
        constexpr qsizetype mostFiles = 1000;
        if (m_read.contains(path) || m_read.size() > mostFiles) {
            return;
        }
        m_read.insert(path);
        if (depth > deepestInclude || !QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly | QIODevice::Text)) {
            return;
        }
        const QStringList lines = QString::fromUtf8(file.read(longestConfig)).split(u'\n');
        for (const QString &line : lines) {
            const QStringList words = sshWordsOf(line);
            const QString keyword = words.value(0).toLower();
            if (keyword == "host"_L1 || keyword == "match"_L1) {
                endBlock();
                m_block = keyword == "host"_L1 ? words.mid(1) : QStringList();
            } else if (keyword == "user"_L1) {
                m_isOfGit = words.value(1) == "git"_L1;
            } else if (keyword == "include"_L1) {
                for (const QString &pattern : words.mid(1)) {
                    include(pattern, depth);
                }
            }
        }
        if (depth == 0) {
            endBlock();
        }
    }
    QStringList names;

private:
    void include(QString pattern, int depth)
    {
        if (pattern.startsWith("~/"_L1)) {
            pattern = QDir::homePath() + pattern.mid(1);
        } else if (!pattern.startsWith(u'/')) {
            pattern = QDir::homePath() + u"/.ssh/"_s + pattern;
        }
        const QFileInfo info(pattern);
        const QStringList found
            = QDir(info.path()).entryList({info.fileName()}, QDir::Files | QDir::Hidden, QDir::Name);
        for (const QString &name : found) {
            read(info.path() + u'/' + name, depth + 1);
        }
    }
    void endBlock()
    {
        for (const QString &name : std::as_const(m_block)) {
            const bool isPattern = name.contains(u'*') || name.contains(u'?') || name.startsWith(u'!')
                || name.startsWith(u'-') || name.startsWith(u'#');
            if (!isPattern && !m_isOfGit && !m_known.contains(name) && names.size() < mostHosts) {
                m_known.insert(name);
                names.append(name);
            }
        }
        m_block.clear();
        m_isOfGit = false;
    }

    QStringList m_block; // the words of the Host line above
    bool m_isOfGit = false;
    QSet<QString> m_known;
    QSet<QString> m_read; // files
};

} // namespace

QStringList sshNames(const QString &configFile)
{
    NameReader reader;
    reader.read(configFile, 0);
    return reader.names;
}

QString sshDestination(const QString &target)
{
    // Addresses of IPv6 have colons of their own, and need brackets before a port.
    static const QRegularExpression withPort(u"\\A([^@/]+@)?([^@/:\\[\\]]+|\\[[^\\[\\]/]+\\]):[0-9]{1,5}\\z"_s);
    return withPort.match(target).hasMatch() ? u"ssh://"_s + target : target;
}

QString sshConfigFile()
{
    const QString own = qEnvironmentVariable("TRAINYARD_SSH_CONFIG");
    return own.isEmpty() ? QDir::homePath() + u"/.ssh/config"_s : own;
}

} // namespace trainyard
