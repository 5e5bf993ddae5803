// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchimage.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

QString nameOfNumber(qsizetype i) { return i == 0 ? u"image"_s : u"image"_s + QString::number(i + 1); }

} // namespace

QString addressOfImage(const QString &image)
{
    // [docker://][USER@][REGISTRY#]IMAGE[:TAG][@DIGEST]; the user is for the login only.
    static const QRegularExpression form(
        u"^(?:docker://)?(?:[^@#/:]+@)?(?:([A-Za-z0-9.-]+(?::\\d+)?)#)?"
        "((?:[A-Za-z0-9.-]+:\\d+/)?[a-z0-9][a-z0-9._/-]*(?::[\\w][\\w.-]*)?(?:@sha256:[0-9a-f]{64})?)$"_s);
    static const QRegularExpression file(u"\\.(?:sqsh|sqfs|squashfs|sif|img)$"_s);
    const QRegularExpressionMatch match = form.match(image);
    if (!match.hasMatch() || file.match(image).hasMatch()) {
        return {};
    }
    const QString registry = match.captured(1);
    return registry.isEmpty() ? match.captured(2) : registry + u'/' + match.captured(2);
}

void sayOfContainer(const Option &option, Findings &findings)
{
    if (option.meaning == Meaning::Mounts) {
        findings.say("batch.container-mounts", Severity::Warning, option.at, {{u"mounts"_s, option.value}});
    } else if (option.meaning == Meaning::FolderInside) {
        findings.say("batch.container-workdir", Severity::Warning, option.at, {{u"folder"_s, option.value}});
    }
}

void sayOfOtherImage(const QString &used, const QString &image, const ByteRange &at, Findings &findings)
{
    if (!used.isEmpty() && !image.isEmpty() && image != used) {
        findings.say("batch.image-other", Severity::Warning, at, {{u"image"_s, image}, {u"used"_s, used}});
    }
}

void Images::take(const QString &image, const ByteRange &at, Findings &findings, const QString &program)
{
    const bool isKnown
        = std::any_of(m_all.cbegin(), m_all.cend(), [&image](const auto &each) { return each.first == image; });
    if (image.isEmpty() || isKnown) {
        return;
    }
    const QString address = addressOfImage(image);
    m_all.append({image, address});
    if (address.isEmpty()) {
        findings.say("batch.image-file", Severity::Warning, at, {{u"image"_s, image}});
    } else if (!program.isEmpty()) {
        findings.say("batch.docker", Severity::Note, at, {{u"image"_s, address}, {u"program"_s, program}});
    } else {
        findings.say("batch.image", Severity::Note, at, {{u"image"_s, address}});
    }
}

QString Images::nameOf(const QString &image) const
{
    qsizetype number = 0;
    for (const auto &[said, address] : m_all) {
        if (said == image) {
            return address.isEmpty() ? QString() : nameOfNumber(number);
        }
        number += address.isEmpty() ? 0 : 1;
    }
    return {};
}

YamlWriter Images::prerequisites() const
{
    YamlWriter list = YamlWriter::list();
    for (const auto &[said, address] : m_all) {
        if (!address.isEmpty()) {
            YamlWriter image = YamlWriter::map();
            image.add(u"name"_s, YamlWriter::text(nameOf(said)));
            image.add(u"type"_s, YamlWriter::text(u"dockerimage"_s));
            image.add(u"uri"_s, YamlWriter::text(address));
            list.append(image);
        }
    }
    return list;
}

} // namespace trainyard::batch
