// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/common/jobtemplates.h"
#include "widgets/text/texts.h"

namespace trainyard::cli
{

namespace
{

// A name without blanks, that "show" takes.
QString wordOf(const JobTemplate &job) { return job.origin == JobTemplate::Origin::Bundled ? job.id : job.title; }

int list(const QList<JobTemplate> &templates)
{
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

int runTemplates(const QStringList &arguments)
{
    const TemplateFolder own = readTemplates(userTemplateFolder(), JobTemplate::Origin::User);
    for (const Error &error : own.errors) {
        errorLine(errorText(error));
    }
    const QList<JobTemplate> templates = own.templates + bundledTemplates();
    const QString what = arguments.value(0, QStringLiteral("list"));
    if (what == QLatin1String("list") && arguments.size() <= 1) {
        return list(templates);
    }
    if (what != QLatin1String("show") || arguments.size() != 2) {
        return usageError(QStringLiteral("templates"), tr("Use 'list', or 'show' with the NAME of a template."));
    }
    const JobTemplate *job = findTemplate(templates, arguments.at(1));
    if (!job) {
        errorLine(tr("There is no template %1. 'trainyardctl templates' lists them.").arg(arguments.at(1)));
        return exitUnusable;
    }
    const Result<QByteArray> yaml = job->yaml();
    if (!yaml) {
        errorLine(errorText(yaml.error()));
        return exitUnusable;
    }
    outFile(*yaml);
    return exitOk;
}

} // namespace

Command templatesCommand()
{
    return {QStringLiteral("templates"), tr("List the job templates, or print one"),
        tr("templates [list | show NAME]\n\n"
           "Lists the templates that come with Trainyard and your own, with what each one needs.\n\n"
           "  show NAME   print the YAML of a template: trainyardctl templates show quickstart > job.pai.yaml\n\n"
           "Exit status: 0 ok; 2 wrong usage, no such template, or the template cannot be read."),
        runTemplates};
}

} // namespace trainyard::cli
