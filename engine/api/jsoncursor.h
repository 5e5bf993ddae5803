// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QJsonObject>
#include <QList>
#include <QString>

#include <optional>

namespace trainyard
{

// Reads compact JSON whose keys and their order are known, because Trainyard's own writer made it, without building a
// tree. Anything unexpected makes it !good(), and the caller then reads the text in the usual way: the cursor need not
// read everything, but is never wrong.
class JsonCursor
{
public:
    explicit JsonCursor(QByteArrayView text) : m_at(text.data()), m_end(text.data() + text.size()) { }

    bool good() const { return m_good; }
    void fail() { m_good = false; }
    bool atEnd() const { return m_at == m_end; }
    QByteArrayView rest() const { return {m_at, m_end}; }

    // Skips this character if it comes next.
    bool skip(char c)
    {
        const bool there = m_good && m_at != m_end && *m_at == c;
        m_at += there ? 1 : 0;
        return there;
    }
    void expect(char c) { m_good = skip(c); }
    // Skips `before`, the quoted key and the colon, or nothing. The name is plain ASCII.
    bool skipKey(char before, QStringView name);
    bool skipKey(char before, const char *name);

    void read(bool &value);
    void read(int &value);
    void read(qint64 &value);
    void read(double &value);
    void read(QString &value);
    void read(QJsonObject &value);
    template <typename T> void read(std::optional<T> &value)
    {
        T one{};
        read(one);
        value = one;
    }
    template <typename A, typename B> void read(std::pair<A, B> &value)
    {
        expect('[');
        read(value.first);
        expect(',');
        read(value.second);
        expect(']');
    }
    template <typename T> void read(QList<T> &list)
    {
        readList(list, [this](T &one) { read(one); });
    }
    template <typename T, typename Read> void readList(QList<T> &list, Read one)
    {
        list.clear();
        expect('[');
        if (skip(']')) {
            return;
        }
        do {
            one(list.emplaceBack());
        } while (skip(','));
        expect(']');
    }

private:
    void readEscaped(QString &value);

    const char *m_at;
    const char *m_end;
    bool m_good = true;
};

} // namespace trainyard
