// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchhead.h"

#include "model/base/shellquote.h"
#include "model/import/batchimage.h"
#include "model/import/batchusage.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

class HeadReader
{
public:
    BatchHead head;
    std::optional<qint64> componentSeconds; // of the component whose options are read

    explicit HeadReader(Findings &findings) : m_findings(findings) { }
    void take(const Option &option);
    void sayIgnored() const;

private:
    void ignore(const Option &option);

    Findings &m_findings;
    QStringList m_ignored;
    ByteRange m_ignoredAt;
};

void HeadReader::ignore(const Option &option)
{
    if (m_ignored.isEmpty()) {
        m_ignoredAt = option.at;
    }
    if (!m_ignored.contains(option.name)) {
        m_ignored.append(option.name);
    }
}

void HeadReader::take(const Option &option)
{
    const auto badValue = [&] {
        m_findings.say(
            "batch.bad-value", Severity::Warning, option.at, {{u"option"_s, option.name}, {u"value"_s, option.value}});
    };
    switch (option.meaning) {
    case Meaning::Name:
        head.name = option.value;
        head.nameAt = option.at;
        break;
    case Meaning::Time:
        if (const std::optional<qint64> seconds = timeOf(option.value)) {
            componentSeconds = *seconds;
            head.timeAt = option.at;
        } else {
            badValue();
        }
        break;
    case Meaning::Folder:
        head.folder = option.value;
        break;
    case Meaning::Array:
        head.array = arrayOf(option.value);
        head.arrayAt = option.at;
        if (!head.array) {
            badValue();
        }
        break;
    case Meaning::Output:
        m_findings.say("batch.output", Severity::Note, option.at, {{u"option"_s, option.name}});
        break;
    case Meaning::Dependency:
        m_findings.say("batch.dependency", Severity::Warning, option.at, {{u"value"_s, option.value}});
        break;
    case Meaning::Unknown:
        m_findings.say("batch.unknown", Severity::Warning, option.at, {{u"option"_s, option.name}});
        break;
    case Meaning::Exclusive:
        head.exclusiveAt = option.at;
        break;
    case Meaning::Signal:
        if (const std::optional<EarlySignal> signal = signalOf(option.value)) {
            head.signal = signal;
            m_findings.say("batch.signal", Severity::Note, option.at,
                {{u"signal"_s, signal->name}, {u"seconds"_s, signal->seconds}});
        } else {
            ignore(option);
        }
        break;
    case Meaning::Memory:
    case Meaning::MemoryPerCpu:
    case Meaning::MemoryPerGpu:
        head.memoryAt = option.at;
        break;
    case Meaning::Export:
        for (const auto &[name, value] : assignmentsOf(option.value)) {
            head.exports.append("export " + name.toUtf8() + '=' + shellQuote(value.toUtf8())); // no shell has read it
            head.exported.append(name);
            if (looksSecret(name, value)) {
                m_findings.say("batch.secret", Severity::Warning, option.at, {{u"name"_s, name}});
            }
        }
        if (option.value.contains(u'=')) {
            break;
        }
        [[fallthrough]];
    case Meaning::Other:
        ignore(option);
        break;
    default:
        break;
    }
}

void HeadReader::sayIgnored() const
{
    if (!m_ignored.isEmpty()) {
        m_findings.say("batch.ignored", Severity::Note, m_ignoredAt, {{u"options"_s, m_ignored.join(u", "_s)}});
    }
}

} // namespace

BatchHead batchHead(const Script &script, const std::optional<DockerJob> &docker, Findings &findings)
{
    HeadReader reader(findings);
    for (const QList<Option> &options : script.components) {
        Shape shape;
        QString image;
        ByteRange imageAt;
        for (const Option &option : options) {
            reader.take(option);
            takeOption(shape, option, findings);
            sayOfContainer(option, findings);
            if (option.meaning == Meaning::Image) {
                image = option.value;
                imageAt = option.at;
            }
        }
        reader.head.timeSeconds
            = std::max(reader.head.timeSeconds, std::exchange(reader.componentSeconds, std::nullopt).value_or(0));
        if (docker) {
            docker->applyTo(shape);
            sayOfOtherImage(docker->image, image, imageAt, findings);
            image = docker->image;
        }
        reader.head.shapes.append(shape);
        reader.head.images.append(image);
    }
    for (const ByteRange &at : script.late) {
        findings.say("batch.late", Severity::Warning, at);
    }
    reader.sayIgnored();
    return reader.head;
}

} // namespace trainyard::batch
