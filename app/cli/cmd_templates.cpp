// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/listedwords.h"
#include "app/cli/words.h"
#include "app/common/jobtemplates.h"
#include "widgets/text/texts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace trainyard::cli
{

namespace
{

// A name without blanks, that "show" takes.
QString wordOf(const JobTemplate &job) { return job.origin == JobTemplate::Origin::Bundled ? job.id : job.title; }

struct TemplatesValues {
    QStringList words;
    bool json = false;
};

// The user's own come first.
QList<JobTemplate> allTemplates()
{
    const TemplateFolder own = readTemplates(userTemplateFolder(), JobTemplate::Origin::User);
    for (const Error &error : own.errors) {
        errorLine(errorText(error));
    }
    return own.templates + bundledTemplates();
}

QJsonDocument templatesJson(const QList<JobTemplate> &templates)
{
    QJsonArray rows;
    for (const JobTemplate &job : templates) {
        rows.append(QJsonObject{{QStringLiteral("name"), wordOf(job)}, {QStringLiteral("title"), job.title},
            {QStringLiteral("summary"), job.summary}, {QStringLiteral("needs"), job.needs},
            {QStringLiteral("category"), job.category},
            {QStringLiteral("own"), job.origin != JobTemplate::Origin::Bundled},
            {QStringLiteral("path"), job.path.isEmpty() ? QJsonValue() : QJsonValue(job.path)}});
    }
    return QJsonDocument(rows);
}

int listTemplates(const TemplatesValues &values)
{
    const QList<JobTemplate> templates = allTemplates();
    if (values.json) {
        outJson(templatesJson(templates));
        return exitOk;
    }
    qsizetype width = 0;
    for (const JobTemplate &job : templates) {
        width = std::max(width, wordOf(job).size());
    }
    for (const JobTemplate &job : templates) {
        outLine(wordOf(job).leftJustified(width + 2) + job.summary
            + paint(Colour::Dim, QStringLiteral("  [%1]").arg(job.needs)));
    }
    return exitOk;
}

int showTemplate(const TemplatesValues &values)
{
    const QString &name = values.words.constFirst();
    const QList<JobTemplate> templates = allTemplates();
    const JobTemplate *job = findTemplate(templates, name);
    if (!job) {
        QStringList known{QStringLiteral("list"), QStringLiteral("show")};
        for (const JobTemplate &each : templates) {
            known.append(wordOf(each));
        }
        errorLine(tr("There is no template '%1'.").arg(name) + didYouMean(name, known)
            + tr(" 'trainyardctl templates' lists them."));
        return exitUnusable;
    }
    const Result<QByteArray> yaml = job->yaml();
    if (!yaml) {
        failureLine(yaml.error());
        return exitUnusable;
    }
    outFile(*yaml);
    return exitOk;
}

} // namespace

QStringList templateWords()
{
    QStringList words;
    for (const JobTemplate &job : allTemplates()) {
        words.append(wordOf(job));
    }
    return words;
}

Command templatesCommand()
{
    static const CommandLine<TemplatesValues> line
        = CommandLine<TemplatesValues>(QStringLiteral("templates"), tr("List the job templates, or print one"))
              .form(QStringLiteral("list"), listTemplates)
              .form(QStringLiteral("show"), showTemplate,
                  {QStringLiteral("NAME"), 1, 1, Word::Template, tr("Which template? Give its NAME.")})
              .usually(QStringLiteral("show"))
              .option(QStringLiteral("--json"), &TemplatesValues::json,
                  tr("print a JSON array of the templates: name, title, summary, needs, category, own, and path of "
                     "your own"))
              .of({QStringLiteral("list")})
              .text(tr("Lists the templates that come with Trainyard and your own, with what each one needs, or prints "
                       "the YAML of one. NAME alone is short for 'show NAME'."))
              .examples({QStringLiteral("trainyardctl templates show quickstart > job.pai.yaml")})
              .exits({{exitOk, tr("ok")},
                  {exitUnusable, tr("wrong usage, no such template, or the template cannot be read")}});
    return line.command();
}

} // namespace trainyard::cli
