// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamlpath.h"

#include <QHashFunctions>

namespace trainyard
{

QString YamlPath::keyAt(qsizetype i) const
{
    const auto *key = i < size() ? std::get_if<QString>(&at(i)) : nullptr;
    return key ? *key : QString();
}

YamlPath YamlPath::parent() const
{
    YamlPath path = *this;
    if (!path.m_elements.isEmpty()) {
        path.m_elements.removeLast();
    }
    return path;
}

YamlPath YamlPath::child(const QString &key) const
{
    YamlPath path = *this;
    path.m_elements.append(key);
    return path;
}

YamlPath YamlPath::child(qsizetype index) const
{
    YamlPath path = *this;
    path.m_elements.append(index);
    return path;
}

bool YamlPath::startsWith(const YamlPath &other) const
{
    if (other.size() > size()) {
        return false;
    }
    for (qsizetype i = 0; i < other.size(); ++i) {
        if (m_elements.at(i) != other.m_elements.at(i)) {
            return false;
        }
    }
    return true;
}

QString YamlPath::toPointer() const
{
    QString pointer;
    for (const Element &element : m_elements) {
        pointer += u'/';
        if (const auto *key = std::get_if<QString>(&element)) {
            QString escaped = *key;
            escaped.replace(u'~', QLatin1String("~0")).replace(u'/', QLatin1String("~1"));
            pointer += escaped;
        } else {
            pointer += QString::number(std::get<qsizetype>(element));
        }
    }
    return pointer;
}

Result<YamlPath> YamlPath::fromPointer(const QString &pointer)
{
    YamlPath path;
    if (pointer.isEmpty()) {
        return path;
    }
    if (!pointer.startsWith(u'/')) {
        return fail(QStringLiteral("path.no-slash"), {{QStringLiteral("path"), pointer}});
    }
    const QStringList parts = pointer.mid(1).split(u'/');
    for (const QString &part : parts) {
        QString key;
        key.reserve(part.size());
        for (qsizetype i = 0; i < part.size(); ++i) {
            if (part.at(i) != u'~') {
                key += part.at(i);
                continue;
            }
            const QChar next = i + 1 < part.size() ? part.at(i + 1) : QChar();
            if (next != u'0' && next != u'1') {
                return fail(QStringLiteral("path.bad-escape"), {{QStringLiteral("path"), pointer}});
            }
            key += next == u'0' ? u'~' : u'/';
            ++i;
        }
        path.m_elements.append(key);
    }
    return path;
}

size_t qHash(const YamlPath &path, size_t seed)
{
    for (qsizetype i = 0; i < path.size(); ++i) {
        if (const auto *key = std::get_if<QString>(&path.at(i))) {
            seed = qHashMulti(seed, *key);
        } else {
            seed = qHashMulti(seed, std::get<qsizetype>(path.at(i)));
        }
    }
    return seed;
}

} // namespace trainyard
