// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpcollect.h"

#include "app/cli/console.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

constexpr std::size_t mostCurves = 2000;
constexpr qsizetype longestPoint = 64 * 1024; // bytes of a line of metrics

QString timeIsUp() { return tr("This took too long and was ended. Ask for less."); }

// Qt reads JSON as its standard has it; these numbers are only Python's. A quote inside a name has a backslash, so that
// no name is changed.
void dropOddNumbers(QByteArray &line)
{
    for (const QByteArray &number : {QByteArray("NaN"), QByteArray("Infinity"), QByteArray("-Infinity")}) {
        for (const QByteArray &field :
            {QByteArray("\"value\": "), QByteArray("\"step\": "), QByteArray("\"epoch\": ")}) {
            line.replace(QByteArray(field + number), QByteArray(field + "null"));
        }
    }
}

} // namespace

QString complaintOf(const QByteArray &err)
{
    QStringList lines = QString::fromUtf8(err).split(u'\n', Qt::SkipEmptyParts);
    const QString name = u"trainyardctl: "_s;
    for (QString &line : lines) {
        line = line.startsWith(name) ? line.sliced(name.size()) : line;
    }
    // Where a person finds help on a terminal.
    lines.removeIf([](const QString &line) { return line.startsWith("Try 'trainyardctl "_L1); });
    return shortened(lines.join(u'\n'));
}

std::optional<Found> Collector::failure(const CommandEnd &ended)
{
    QString sentence;
    switch (ended.how) {
    case CommandEnd::How::Exited:
    case CommandEnd::How::Enough:
        return std::nullopt;
    case CommandEnd::How::Crashed:
        sentence = tr("The command that was to answer ended unexpectedly.");
        break;
    case CommandEnd::How::TimedOut:
        sentence = timeIsUp();
        break;
    case CommandEnd::How::NotStarted:
        sentence = tr("The command that was to answer could not be started.");
        break;
    }
    const QString complaint = complaintOf(ended.err);
    return Found{{}, complaint.isEmpty() ? sentence : QString(sentence + u'\n' + complaint), true};
}

void WholeOutput::take(QByteArrayView bytes)
{
    if (!isFull()) {
        m_out.append(bytes.data(), bytes.size());
    }
}

Found WholeOutput::end(const CommandEnd &ended)
{
    if (isFull()) {
        return {{}, tr("The answer would be too long. Ask for less: with a filter, or for one of them."), true};
    }
    if (const std::optional<Found> failed = failure(ended)) {
        return *failed;
    }
    return m_read(m_out, ended);
}

std::unique_ptr<Collector> jsonOutput(std::function<Found(const QJsonDocument &json)> read)
{
    return std::make_unique<WholeOutput>(
        [read = std::move(read)](const QByteArray &out, const CommandEnd &ended) -> Found {
            const QJsonDocument json = QJsonDocument::fromJson(out);
            const QJsonObject error = json.object().value("error"_L1).toObject();
            if (json.isNull() || !error.isEmpty()) {
                const QString complaint = complaintOf(ended.err);
                const QString message = error.value("message"_L1).toString();
                const QString sentence = complaint.isEmpty() ? message : complaint;
                return {{}, sentence.isEmpty() ? tr("The command has given no answer.") : sentence, true};
            }
            return read(json);
        });
}

void LogOutput::take(QByteArrayView bytes)
{
    m_isEmpty = m_isEmpty && bytes.isEmpty();
    m_window.take(bytes);
}

Found LogOutput::end(const CommandEnd &ended)
{
    m_window.finish();
    const QString complaint = complaintOf(ended.err);
    if (m_isEmpty) {
        if (const std::optional<Found> failed = failure(ended)) {
            return *failed;
        }
        if (ended.how == CommandEnd::How::Exited && ended.status != exitOk && !complaint.isEmpty()) {
            return {{}, complaint, true};
        }
    }
    Found found{m_window.data(), m_window.shown()};
    QStringList remarks;
    if (ended.how == CommandEnd::How::TimedOut) {
        remarks.append(tr("Not all of the output was read: it took too long."));
    } else if (ended.how == CommandEnd::How::Crashed) {
        remarks.append(tr("Not all of the output was read."));
    }
    if (ended.how == CommandEnd::How::Exited && !complaint.isEmpty()) {
        remarks.append(complaint);
    }
    if (!remarks.isEmpty()) {
        found.data.insert(u"remark"_s, remarks.join(u'\n'));
        found.shown += u'(' + remarks.join(u'\n') + u")\n"_s;
    }
    return found;
}

void Curve::add(double step, double value)
{
    ++m_count;
    if (!std::isfinite(value) || !std::isfinite(step)) {
        ++m_broken;
        return;
    }
    const Point point{step, value};
    if (!m_first) {
        m_first = m_least = m_most = point;
    }
    m_last = point;
    m_least = value < m_least.value ? point : m_least;
    m_most = value > m_most.value ? point : m_most;
    if (m_isKept) {
        keep(point);
    }
}

void Curve::keep(const Point &point)
{
    if (!m_stretches.isEmpty() && m_stretches.constLast().count < m_width) {
        Stretch &last = m_stretches.last();
        last.least = point.value < last.least.value ? point : last.least;
        last.most = point.value > last.most.value ? point : last.most;
        ++last.count;
        return;
    }
    if (m_stretches.size() == m_mostStretches) { // two become one
        QList<Stretch> wider;
        for (qsizetype i = 0; i < m_stretches.size(); i += 2) {
            Stretch both = m_stretches.at(i);
            if (i + 1 < m_stretches.size()) {
                const Stretch &other = m_stretches.at(i + 1);
                both.least = other.least.value < both.least.value ? other.least : both.least;
                both.most = other.most.value > both.most.value ? other.most : both.most;
                both.count += other.count;
            }
            wider.append(both);
        }
        m_stretches = wider;
        m_width *= 2;
        if (m_stretches.size() == m_mostStretches || m_stretches.constLast().count < m_width) {
            keep(point);
            return;
        }
    }
    m_stretches.append({point, point, 1});
}

QJsonObject Curve::json() const
{
    QJsonObject json{{u"points"_s, m_count}};
    if (m_broken > 0) {
        json.insert(u"notNumbers"_s, m_broken);
    }
    if (!m_first) {
        return json;
    }
    json.insert(u"first"_s, m_first->json());
    json.insert(u"last"_s, m_last.json());
    json.insert(u"least"_s, m_least.json());
    json.insert(u"most"_s, m_most.json());
    if (m_isKept) {
        QJsonArray curve;
        for (const Stretch &stretch : m_stretches) {
            const bool isRising = stretch.least.step <= stretch.most.step;
            const Point &before = isRising ? stretch.least : stretch.most,
                        &after = isRising ? stretch.most : stretch.least;
            curve.append(QJsonArray{before.step, before.value});
            if (stretch.count > 1) {
                curve.append(QJsonArray{after.step, after.value});
            }
        }
        json.insert(u"curve"_s, curve);
    }
    return json;
}

void MetricsOutput::take(QByteArrayView bytes)
{
    for (qsizetype from = 0; from < bytes.size();) {
        const qsizetype end = bytes.indexOf('\n', from);
        const QByteArrayView part = bytes.sliced(from, (end < 0 ? bytes.size() : end) - from);
        if (m_begun.size() + part.size() <= longestPoint) {
            m_begun.append(part.data(), part.size());
        }
        if (end < 0) {
            return;
        }
        takeLine(std::exchange(m_begun, {}));
        from = end + 1;
    }
}

void MetricsOutput::takeLine(QByteArray line)
{
    dropOddNumbers(line);
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    if (object.contains("name"_L1)) {
        takePoint(object);
    } else if (object.value("progress"_L1).isDouble() || object.value("eta"_L1).isDouble()) {
        m_progress.append(object);
    }
}

void MetricsOutput::takePoint(const QJsonObject &point)
{
    const std::pair<QString, QString> key{point.value("task"_L1).toString(), point.value("name"_L1).toString()};
    auto known = m_curves.find(key);
    if (known == m_curves.end()) {
        if (m_curves.size() >= mostCurves) {
            m_hasMore = true;
            return;
        }
        const bool isOfMachine = point.contains("unit"_L1);
        known = m_curves
                    .emplace(key,
                        Named{isOfMachine ? u"time"_s : point.value("axis"_L1).toString(),
                            point.value("unit"_L1).toString(), Curve(m_wanted.points)})
                    .first;
    }
    double step = std::nan("");
    for (const QLatin1StringView field : {"step"_L1, "epoch"_L1, "line"_L1, "time"_L1}) {
        if (point.value(field).isDouble()) {
            step = point.value(field).toDouble();
            break;
        }
    }
    known->second.curve.add(step, point.value("value"_L1).toDouble(std::nan("")));
}

Found MetricsOutput::end(const CommandEnd &ended)
{
    const bool isLate = ended.how == CommandEnd::How::TimedOut && !m_curves.empty();
    if (const std::optional<Found> failed = isLate ? std::nullopt : failure(ended)) {
        return *failed;
    }
    const QString complaint = complaintOf(ended.err);
    if (m_curves.empty() && ended.status != exitOk && !complaint.isEmpty()) {
        return {{}, complaint, true};
    }
    QJsonArray rows;
    for (const auto &[key, named] : m_curves) {
        QJsonObject row = named.curve.json();
        row.insert(u"name"_s, key.second);
        if (!key.first.isEmpty()) {
            row.insert(u"task"_s, key.first);
        }
        if (!named.axis.isEmpty()) {
            row.insert(u"by"_s, named.axis);
        }
        if (!named.unit.isEmpty()) {
            row.insert(u"unit"_s, named.unit);
        }
        rows.append(row);
    }
    QJsonObject data = page(u"series"_s, rows, m_wanted.from, rows.size());
    if (!m_progress.isEmpty()) {
        data.insert(u"progress"_s, page(u"tasks"_s, m_progress, 0, 20).value("tasks"_L1));
    }
    QStringList remarks;
    if (isLate) {
        remarks.append(tr("Not all values were read: it took too long."));
    }
    if (m_hasMore) {
        remarks.append(tr("There are more series: name the ones that you want."));
    }
    if (!complaint.isEmpty()) {
        remarks.append(complaint);
    }
    if (!remarks.isEmpty()) {
        data.insert(u"remark"_s, remarks.join(u'\n'));
    }
    return {data};
}

} // namespace trainyard::cli::mcp
