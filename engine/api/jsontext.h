// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QStringView>

#include <concepts>

namespace trainyard
{

// Appends a value as compact JSON. Unpaired surrogates become U+FFFD, and numbers that JSON does not have become null.
void appendJson(QByteArray &out, QStringView text);
void appendJson(QByteArray &out, qint64 number);
void appendJson(QByteArray &out, double number);
void appendJson(QByteArray &out, const QJsonObject &object);

// Writes compact JSON straight from fields, for what is written often: a tree of QJsonObjects costs several times as
// much as its text. A JsonCursor that reads it relies on the order in which the keys are written.
class JsonText
{
public:
    explicit JsonText(qsizetype about = 0) { m_text.reserve(about); }

    JsonText &open(char bracket)
    {
        separate();
        m_text += bracket;
        m_isFirst = true;
        return *this;
    }
    JsonText &close(char bracket)
    {
        m_text += bracket;
        m_isFirst = false;
        return *this;
    }
    // Plain ASCII without quotes.
    JsonText &key(const char *name)
    {
        separate();
        m_text += '"';
        m_text += name;
        m_text += "\":";
        m_isFirst = true; // no comma between it and its value
        return *this;
    }
    template <typename T> JsonText &add(const T &value)
    {
        separate();
        if constexpr (std::same_as<T, bool>) {
            m_text += value ? "true" : "false";
        } else if constexpr (std::integral<T>) {
            appendJson(m_text, qint64(value));
        } else {
            appendJson(m_text, value);
        }
        return *this;
    }
    template <typename T> JsonText &field(const char *name, const T &value) { return key(name).add(value); }

    const QByteArray &text() const { return m_text; }

private:
    void separate()
    {
        if (!m_isFirst) {
            m_text += ',';
        }
        m_isFirst = false;
    }

    QByteArray m_text;
    bool m_isFirst = true;
};

} // namespace trainyard
