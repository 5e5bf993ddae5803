// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/rundocument.h"

#include "app/gui/session.h"
#include "engine/api/compare/parametertext.h"
#include "engine/client/cataloguefolder.h"
#include "model/protocol/catalogue.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"
#include "model/yaml/yamldocument.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

QByteArray basisOf(const DocumentQuestion &question)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const QByteArray &part) {
        hash.addData(QByteArray::number(part.size()).append(':'));
        hash.addData(part);
    };
    const JobSummary &job = question.job.summary;
    const QFileInfo file(job.file);
    add(job.uuid.toUtf8());
    add(job.name.toUtf8());
    add(job.file.toUtf8());
    add(QJsonDocument(job.parameters).toJson(QJsonDocument::Compact));
    add(question.job.yaml);
    add(QByteArray::number(file.size()));
    for (const auto time : {QFileDevice::FileModificationTime, QFileDevice::FileMetadataChangeTime}) {
        add(QByteArray::number(file.fileTime(time).toMSecsSinceEpoch()));
    }
    for (const OpenDocument &each : question.documents) {
        add((QStringList{each.file, each.runFile, each.run} + each.runs).join(QChar(0)).toUtf8());
        add(each.bytes);
    }
    return hash.result();
}

} // namespace

qsizetype documentOf(const JobDetail &job, const QList<OpenDocument> &documents)
{
    qsizetype own = -1, ofText = -1, ofFile = -1, saved = -1;
    for (qsizetype i = 0; i < documents.size(); ++i) {
        const OpenDocument &each = documents.at(i);
        const bool isOfOther = !each.run.isEmpty() && each.run != job.summary.uuid;
        const bool isSame = !job.yaml.isEmpty() && storable(each.bytes) == job.yaml;
        if (each.runs.contains(job.summary.uuid)) {
            own = i;
        } else if (isSame && each.file.isEmpty()) {
            ofText = i;
        } else if (isSame && job.summary.file.isEmpty()) {
            saved = i;
        } else if (!isOfOther && !job.summary.file.isEmpty() && each.runFile == job.summary.file) {
            ofFile = i;
        }
    }
    return own >= 0 ? own : ofText >= 0 ? ofText : ofFile >= 0 ? ofFile : saved;
}

QString fileOfText(const JobDetail &job)
{
    return job.textFile.isEmpty() ? job.summary.file : job.textFile == "-"_L1 ? QString() : job.textFile;
}

qsizetype documentOfText(const JobDetail &job, const QList<OpenDocument> &documents)
{
    const QString file = fileOfText(job);
    if (file == job.summary.file) {
        return documentOf(job, documents);
    }
    const auto isOfText = [&](const OpenDocument &each) {
        return file.isEmpty() ? each.file.isEmpty() && storable(each.bytes) == job.yaml : each.runFile == file;
    };
    const auto last = std::find_if(documents.crbegin(), documents.crend(), isOfText);
    return std::distance(last, documents.crend()) - 1;
}

bool hasOtherText(const JobDetail &job, const QByteArray &document)
{
    const QByteArray masked = storable(document);
    return !masked.isEmpty() && !job.yaml.isEmpty()
        && !isSameWithJobName(masked, yamlWithParameters(job.yaml, job.summary.parameters), job.summary.name);
}

QByteArray jobFileText(const QString &file)
{
    const QFileInfo about(file);
    if (!about.isFile() || about.size() > maxCheckedBytes) {
        return {}; // opening a pipe would wait for its writer
    }
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.read(maxCheckedBytes) : QByteArray();
}

DocumentAnswer answerOf(const DocumentQuestion &question, const DocumentAnswer &former)
{
    const QByteArray basis = basisOf(question);
    if (former.basis == basis) {
        return former;
    }
    const JobDetail &job = question.job;
    const qsizetype at = documentOf(job, question.documents);
    const QByteArray text = at < 0                                  ? jobFileText(job.summary.file)
        : question.documents.at(at).runs.contains(job.summary.uuid) ? QByteArray()
                                                                    : question.documents.at(at).bytes;
    const ParseOutcome document = parseJob(text);
    // The text as it would be submitted. Texts that are not jobs cannot be compared: a script, a job of version 1.
    const Result<ParseOutcome> whole = withCatalogue(document, folderCatalogue(catalogueFolder()));
    if (!whole) {
        return {};
    }
    const QByteArray handedOver = whole->document.bytes();
    // Its items from the catalogue may change independently.
    return {document.spec && hasOtherText(job, handedOver), handedOver == text ? basis : QByteArray()};
}

} // namespace trainyard
