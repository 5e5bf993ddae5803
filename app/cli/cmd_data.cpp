// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "engine/code/datasnapshot.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr std::size_t biggestData = 10;

struct DataValues {
    QStringList words;
    bool json = false;
};

int runData(const DataValues &values)
{
    CodeNames names;
    const QString &word = values.words.constFirst();
    const QFileInfo named(word);
    if (!named.exists()) { // no job has named it, so none has to be corrected
        failureLine({u"file.missing"_s, {{u"file"_s, word}}});
        return exitUnusable;
    }
    const QString path = named.absoluteFilePath();
    const Result<DataSnapshot> data = dataSnapshotOf(path, names);
    if (!data) {
        Error why = data.error();
        why.args.insert(u"name"_s, QFileInfo(path).fileName());
        why.args.insert(u"host"_s, tr("other hosts"));
        why.args.insert(u"on"_s, u"local"_s);
        failureLine(why);
        return exitUnusable;
    }
    std::vector<contract::DataFile> files = data->files.files;
    const auto bytes = qint64(data->files.bytes);
    if (values.json) {
        outJson(QJsonDocument(QJsonObject{
            {u"path"_s, path}, {u"bytes"_s, bytes}, {u"files"_s, qint64(files.size())}, {u"sha256"_s, data->sum}}));
        return exitOk;
    }
    const QString size = formatBytes(bytes);
    outLine(files.size() == 1 ? tr("%1 in one file").arg(size)
                              : tr("%1 in %2 files").arg(size, QString::number(files.size())));
    std::sort(files.begin(), files.end(), [](const contract::DataFile &a, const contract::DataFile &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.path < b.path;
    });
    QList<QStringList> rows;
    for (std::size_t i = 0; i < std::min(biggestData, files.size()); ++i) {
        rows.append({u"  "_s + formatBytes(qint64(files[i].bytes)), QFile::decodeName(files[i].path.c_str())});
    }
    for (const QString &line : alignedRows(rows)) {
        outLine(line);
    }
    if (files.size() > biggestData) {
        outLine(u"  "_s + tr("... and %1 more").arg(files.size() - biggestData));
    }
    outLine(u"sha256: "_s + data->sum);
    return exitOk;
}

const CommandLine<DataValues> &dataLine()
{
    static const CommandLine<DataValues> line
        = CommandLine<DataValues>(u"data"_s, tr("Show the size and the checksum of data"))
              .runs(runData, {u"FOLDER|FILE"_s, 1, 1, Word::File, tr("what a job names in extras.trainyard.data")})
              .text(tr("Data that a job names is copied to other hosts before tasks start there. Shows how much that "
                       "is, the largest files, and the SHA-256 by which a job can say what the contents must be. All "
                       "of the data is read for this."))
              .option(
                  u"--json"_s, &DataValues::json, tr("print a JSON object: path, bytes, files (their number), sha256"))
              .examples({u"trainyardctl data /data/imagenet"_s})
              .exits({{exitOk, tr("shown")}, {exitUnusable, tr("the data cannot be read, or wrong usage")}});
    return line;
}

} // namespace

Command dataCommand() { return dataLine().command(); }

} // namespace trainyard::cli
