// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"
#include "engine/hosts/transport.h"

#include <algorithm>

// The way to an agent that is not there: what is written to it is decoded for the test, and say() is the agent's voice.
class FakeTransport : public trainyard::Transport
{
public:
    explicit FakeTransport(QList<FakeTransport *> *all) : m_all(all) { m_all->append(this); }
    ~FakeTransport() override { m_all->removeAll(this); }
    void start() override { isStarted = true; }
    void write(const char *bytes, qint64 length) override
    {
        reader.feed(std::string_view(bytes, std::size_t(length)));
        while (std::optional<trainyard::contract::Frame> frame = reader.next()) {
            if (std::optional<trainyard::contract::Envelope> envelope = trainyard::contract::decode(*frame, false)) {
                said.push_back(std::move(*envelope));
            }
        }
    }
    qint64 bytesWaiting() const override { return 0; }
    void raw(const QByteArray &bytes) { Q_EMIT received(bytes); }
    void banner() { raw(QByteArray::fromStdString(trainyard::contract::bannerLine(nonce().toStdString()))); }
    void say(std::int64_t id, trainyard::contract::Message message)
    {
        raw(QByteArray::fromStdString(trainyard::contract::encode({id, std::move(message), {}}).value()));
    }
    void end(const QString &code) { Q_EMIT closed(trainyard::Error{code, {}}); }
    // The newest request of a type.
    template <typename T> std::optional<std::pair<std::int64_t, T>> asked() const
    {
        for (auto it = said.rbegin(); it != said.rend(); ++it) {
            if (const T *message = std::get_if<T>(&it->message)) {
                return std::pair(it->id, *message);
            }
        }
        return std::nullopt;
    }
    template <typename T> int count() const
    {
        return int(std::count_if(said.begin(), said.end(),
            [](const trainyard::contract::Envelope &envelope) { return std::holds_alternative<T>(envelope.message); }));
    }

    trainyard::contract::FrameReader reader;
    std::vector<trainyard::contract::Envelope> said;
    bool isStarted = false;

private:
    QList<FakeTransport *> *m_all;
};
