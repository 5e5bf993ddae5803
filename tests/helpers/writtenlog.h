// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/logreader.h"
#include "engine/contract/taskfolder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtEndian>

// A try's folder whose files the test writes, as a keeper would.
class WrittenLog
{
public:
    static constexpr qint64 start = 1'700'000'000'000; // ms UTC

    WrittenLog() : WrittenLog(QString()) { }
    // In a folder that is there.
    explicit WrittenLog(const QString &folder)
        : m_at(folder.isEmpty() ? m_folder.path() : folder), m_file(m_at + QStringLiteral("/output.log")),
          m_index(m_at + QStringLiteral("/output.idx"))
    {
        m_open = m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)
            && m_index.open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }
    bool isOpen() const { return m_open; }
    QString folder() const { return m_at; }
    void write(const QByteArray &bytes, trainyard::LogReader::Stream stream = trainyard::LogReader::Stream::Out)
    {
        writeAt(start * 1'000'000 + m_file.size(), bytes, stream);
    }
    void writeAt(
        qint64 timeNs, const QByteArray &bytes, trainyard::LogReader::Stream stream = trainyard::LogReader::Stream::Out)
    {
        const qint64 offset = m_file.size();
        m_file.write(bytes);
        QByteArray record(24, '\0');
        qToLittleEndian<quint64>(quint64(offset), record.data());
        qToLittleEndian<qint64>(timeNs, record.data() + 8);
        qToLittleEndian<quint32>(quint32(bytes.size()), record.data() + 16);
        record[20] = char(stream);
        record[21] = bytes.endsWith('\n') ? 2 : 0;
        m_index.write(record);
    }
    // The try has ended some time ago, so that nothing more of it is waited for.
    bool end()
    {
        trainyard::contract::ExitRecord record;
        record.kind = trainyard::contract::ExitKind::Exited;
        record.ended = start;
        record.bytes = std::uint64_t(m_file.size());
        QFile file(m_at + QStringLiteral("/exit"));
        return file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(record.format())) > 0;
    }
    void truncate()
    {
        m_file.resize(0);
        m_file.seek(0);
        m_index.resize(0);
        m_index.seek(0);
    }

private:
    QTemporaryDir m_folder;
    QString m_at;
    QFile m_file;
    QFile m_index;
    bool m_open = false;
};
