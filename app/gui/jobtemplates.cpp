// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/jobtemplates.h"

#include <QCoreApplication>
#include <QFile>

static void loadTemplateResources() { Q_INIT_RESOURCE(templates); }

namespace trainyard
{
namespace
{
QString tr(const char *text) { return QCoreApplication::translate("JobTemplates", text); }

QByteArray resource(const QString &path)
{
    loadTemplateResources();
    QFile file(QStringLiteral(":/trainyard/templates/") + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

QByteArray JobTemplate::yaml() const { return resource(id + QStringLiteral(".pai.yaml")); }
QByteArray JobTemplate::picture() const { return resource(id + QStringLiteral(".svg")); }

QByteArray helloJob() { return resource(QStringLiteral("hello.pai.yaml")); }

QList<JobTemplate> jobTemplates()
{
    return {
        {QStringLiteral("one-script"), tr("One script, one GPU"), tr("The shortest useful job; put in your command."),
            QStringLiteral("PyTorch")},
        {QStringLiteral("data-parallel"), tr("Data parallel, 4 workers"),
            tr("One GPU each; NCCL averages the gradients."), QStringLiteral("PyTorch")},
        {QStringLiteral("quickstart"), tr("Parameter server"), tr("Three workers send gradients to ps; runs anywhere."),
            QStringLiteral("Python")},
        {QStringLiteral("many-tasks"), tr("Many short tasks"), tr("One task per part; they start as room appears."),
            tr("any")},
        {QStringLiteral("prerequisites"), tr("Prepared data"), tr("Fetch and unpack once, before the commands."),
            tr("any")},
        {QStringLiteral("tensorboard"), tr("Training with TensorBoard"),
            tr("A second role serves the plots on a port of its own."), QStringLiteral("PyTorch")},
    };
}

} // namespace trainyard
