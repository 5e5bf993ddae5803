// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/jobtemplates.h"

#include "engine/client/paths.h"
#include "engine/client/wholefile.h"
#include "model/protocol/jobdocument.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

static void loadTemplateResources() { Q_INIT_RESOURCE(templates); }

namespace trainyard
{
namespace
{
constexpr qint64 mostTemplateBytes = qint64(1) << 20;
constexpr int mostTemplates = 500;
const QString extension = QStringLiteral(".pai.yaml");

QString tr(const char *text) { return QCoreApplication::translate("JobTemplates", text); }

QByteArray resource(const QString &name)
{
    loadTemplateResources();
    QFile file(QStringLiteral(":/trainyard/templates/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<QByteArray> contents(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("file.unreadable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), file.errorString()}});
    }
    if (file.size() > mostTemplateBytes) {
        return fail(QStringLiteral("file.too-large"),
            {{QStringLiteral("file"), path}, {QStringLiteral("limit"), mostTemplateBytes}});
    }
    return file.read(mostTemplateBytes);
}

QString needsOf(const JobSpec &job)
{
    qint64 tasks = 0;
    qint64 gpus = 0;
    for (const TaskRole &role : job.taskRoles) {
        tasks += role.instances;
        gpus += role.instances * role.resources.gpu;
    }
    // The command line has no plural forms.
    const QString what = tasks == 1 ? tr("1 task") : tr("%1 tasks").arg(tasks);
    return gpus == 0 ? what : gpus == 1 ? tr("%1, 1 GPU").arg(what) : tr("%1, %2 GPUs").arg(what).arg(gpus);
}

QString baseName(const QString &path)
{
    QString name = QFileInfo(path).fileName();
    for (const QLatin1String ending : {QLatin1String(".yaml"), QLatin1String(".yml"), QLatin1String(".pai")}) {
        if (name.endsWith(ending, Qt::CaseInsensitive)) {
            name.chop(ending.size());
        }
    }
    return name;
}

// A box per role, as the bundled pictures have it; what fits.
QByteArray pictureOf(const JobSpec &job)
{
    constexpr int most = 3;
    constexpr int height = 52;
    const int shown = int(std::min<qsizetype>(most, job.taskRoles.size()));
    const int gap = 10;
    const int width = shown > 0 ? std::min(104, (232 - gap * (shown - 1)) / shown) : 0;
    int x = (248 - shown * width - gap * (shown - 1)) / 2;
    QByteArray svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"248\" height=\"92\" viewBox=\"0 0 248 92\" "
                     "font-family=\"sans-serif\">";
    for (int i = 0; i < shown; ++i) {
        const TaskRole &role = job.taskRoles.at(i);
        const bool gpu = role.resources.gpu > 0;
        QString name = role.name;
        const qsizetype room = (width - 18) / 7;
        if (name.size() > room) {
            name = name.left(room - 1) + QChar(0x2026);
        }
        svg += QStringLiteral("<rect x=\"%1\" y=\"20.5\" width=\"%2\" height=\"%3\" rx=\"3\" fill=\"var(--%4)\" "
                              "stroke=\"var(--%5)\"/>")
                   .arg(x + 0.5)
                   .arg(width - 1)
                   .arg(height - 1)
                   .arg(gpu ? QStringLiteral("sel") : QStringLiteral("window"),
                       gpu ? QStringLiteral("accent") : QStringLiteral("edge"))
                   .toUtf8();
        svg += QStringLiteral("<text x=\"%1\" y=\"42\" font-size=\"12\" font-weight=\"500\" fill=\"var(--text)\" "
                              "stroke=\"none\">%2</text>"
                              "<text x=\"%1\" y=\"58\" font-size=\"11\" fill=\"var(--muted)\" "
                              "stroke=\"none\">\u00d7 %3</text>")
                   .arg(x + 10)
                   .arg(name.toHtmlEscaped())
                   .arg(role.instances)
                   .toUtf8();
        for (int g = 0; g < int(std::min<qint64>(role.resources.gpu, 4)); ++g) {
            svg += QStringLiteral("<rect x=\"%1\" y=\"48.5\" width=\"8\" height=\"13\" rx=\"1.5\" "
                                  "fill=\"var(--accent)\" stroke=\"var(--accent)\"/>")
                       .arg(x + width - 18.5 - 11 * g)
                       .toUtf8();
        }
        x += width + gap;
    }
    return svg + "</svg>";
}

// A name that people give becomes a file name.
Result<QString> pathFor(const QString &name)
{
    QString word = name.simplified();
    word.replace(QLatin1Char('/'), QLatin1Char('-')).replace(QChar(QChar::Null), QLatin1Char('-'));
    word = baseName(word);
    while (word.startsWith(QLatin1Char('.'))) {
        word.remove(0, 1);
    }
    if (word.isEmpty()) {
        return fail(QStringLiteral("template.no-name"));
    }
    const QString path = QDir(userTemplateFolder()).filePath(word + extension);
    if (QFileInfo::exists(path)) {
        return fail(QStringLiteral("template.exists"), {{QStringLiteral("name"), word}});
    }
    return path;
}

Result<void> write(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    return writeFile(path, bytes);
}

} // namespace

Result<QByteArray> JobTemplate::yaml() const
{
    return origin == Origin::Bundled ? Result<QByteArray>(resource(id + extension)) : contents(path);
}

QByteArray JobTemplate::picture() const
{
    if (origin == Origin::Bundled) {
        return resource(id + QStringLiteral(".svg"));
    }
    const Result<QByteArray> bytes = yaml();
    const ParseOutcome outcome = bytes ? parseJob(*bytes) : ParseOutcome();
    return outcome.spec ? pictureOf(*outcome.spec) : QByteArray();
}

QString JobTemplate::fileName() const
{
    return origin == Origin::Bundled ? id + extension : QFileInfo(path).fileName();
}

bool JobTemplate::matches(const QString &words) const
{
    const QString text = QStringList{title, summary, needs, category, otherWords, fileName()}.join(QLatin1Char(' '));
    const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(
        all.cbegin(), all.cend(), [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

QByteArray helloJob() { return resource(QStringLiteral("hello") + extension); }

QList<JobTemplate> bundledTemplates()
{
    const QString training = tr("Training");
    const QString distributed = tr("Distributed");
    const QString batch = tr("Search and batch");
    const QString data = tr("Data");
    const QString tools = tr("Tools");
    const auto make = [](const char *id, const QString &title, const QString &summary, const QString &needs,
                          const QString &category, const QString &otherWords) {
        return JobTemplate{
            QString::fromLatin1(id), title, summary, needs, category, JobTemplate::Origin::Bundled, {}, otherWords};
    };
    return {
        make("one-script", tr("One script, one GPU"), tr("The shortest useful job: put in your own script."),
            tr("Python, 1 GPU"), training, tr("minimal simple start")),
        make("torchrun", tr("Data parallel with torchrun"),
            tr("Two tasks with two GPUs each average their gradients after every step."), tr("PyTorch, 4 GPUs"),
            distributed, tr("DDP FSDP distributed PyTorch multi-node multi-GPU NCCL")),
        make("quickstart", tr("Parameter server"),
            tr("Three workers send gradients to a server, which is stopped when they are done."), tr("Python alone"),
            distributed, tr("distributed parameter server worker")),
        make("hyper-parameters", tr("Hyper-parameter evaluation"),
            tr("One task per combination; the last to finish ranks them all."), tr("Python alone"), batch,
            tr("hyperparameter sweep grid search tuning HPO")),
        make("data-then-train", tr("Prepare data, then train"),
            tr("One role makes the data and hands it out; the other waits for it and trains."), tr("Python alone"),
            data, tr("pipeline preprocessing dataset")),
        make("tensorboard", tr("Training with TensorBoard"),
            tr("A second role shows the plots on a port of its own while the training runs."),
            tr("PyTorch, TensorBoard, 1 GPU"), tools, tr("plots curves monitoring")),
        make("single-gpu", tr("Single GPU training"),
            tr("A whole small training on one GPU; ask for 0 GPUs to train on the CPU."),
            tr("Python; PyTorch to use the GPU"), training, tr("MNIST PyTorch example complete")),
        make("mpi-horovod", tr("MPI and Horovod over ssh"),
            tr("mpirun starts a process in every task by its ssh name; Horovod averages."),
            tr("Horovod, Open MPI, ssh, 3 GPUs"), distributed, tr("distributed multi-node mpirun allreduce")),
        make("cpu-batch", tr("Batch of many CPU tasks"),
            tr("Sixteen independent tasks that start as room appears; failed ones are retried."), tr("bash and awk"),
            batch, tr("array parallel map retry")),
        make("prerequisites", tr("Prepared data"), tr("Steps before the commands: each once, in the order they need."),
            tr("bash alone"), data, tr("pipeline steps dependencies download")),
        make("jupyter", tr("Jupyter on a GPU"), tr("JupyterLab in the work folder, until you press Stop."),
            tr("JupyterLab, 1 GPU"), tools, tr("notebook interactive lab")),
        make("private-registry", tr("Secrets and a private registry"),
            tr("A token that stays off the disk, and an image that is pulled with a login."), tr("Python alone"), tools,
            tr("token password login docker image container")),
        make("hello", tr("Hello, world"), tr("Two tasks count to eight: state, log and hosts at a glance."),
            tr("bash alone"), training, tr("example first test")),
    };
}

const JobTemplate *findTemplate(const QList<JobTemplate> &templates, const QString &word)
{
    for (const JobTemplate &job : templates) {
        if (job.id == word || baseName(job.fileName()) == word || job.title.compare(word, Qt::CaseInsensitive) == 0) {
            return &job;
        }
    }
    return nullptr;
}

TemplateFolder readTemplates(const QString &folder, JobTemplate::Origin origin)
{
    TemplateFolder found;
    if (folder.isEmpty()) {
        return found;
    }
    const QDir dir(folder);
    if (!dir.exists()) {
        if (origin == JobTemplate::Origin::Catalogue) {
            found.errors.append({QStringLiteral("template.no-folder"), {{QStringLiteral("folder"), folder}}});
        }
        return found;
    }
    const QFileInfoList files = dir.entryInfoList({QStringLiteral("*.yaml"), QStringLiteral("*.yml")}, QDir::Files,
        QDir::Name | QDir::IgnoreCase | QDir::LocaleAware);
    for (const QFileInfo &info : files) {
        if (found.templates.size() == mostTemplates) {
            found.errors.append({QStringLiteral("template.too-many"),
                {{QStringLiteral("folder"), folder}, {QStringLiteral("limit"), mostTemplates}}});
            break;
        }
        const Result<QByteArray> bytes = contents(info.filePath());
        if (!bytes) {
            found.errors.append(bytes.error());
            continue;
        }
        const ParseOutcome outcome = parseJob(*bytes);
        if (!outcome.spec || !outcome.document.isWellFormed()) {
            const auto error = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
                [](const Diagnostic &d) { return d.severity == Severity::Error; });
            found.errors.append({QStringLiteral("template.unreadable"),
                {{QStringLiteral("file"), info.filePath()},
                    {QStringLiteral("line"),
                        error == outcome.diagnostics.cend()
                            ? 1
                            : 1 + int(bytes->first(std::min(error->at.begin, bytes->size())).count('\n'))}}});
            continue;
        }
        const bool own = origin == JobTemplate::Origin::User;
        QString summary = outcome.spec->description.simplified();
        if (summary.isEmpty()) {
            summary = tr("Job %1").arg(outcome.spec->name);
        }
        found.templates.append({info.filePath(), baseName(info.filePath()), summary, needsOf(*outcome.spec),
            own ? tr("My own") : tr("Catalogue"), origin, info.filePath(), {}});
    }
    return found;
}

QString userTemplateFolder() { return paths::configFolder() + QStringLiteral("/templates"); }

Result<QString> saveUserTemplate(const QString &name, const QByteArray &yaml)
{
    const Result<QString> path = pathFor(name);
    if (!path) {
        return path;
    }
    const Result<QByteArray> masked = maskSecrets(yaml);
    if (!masked) {
        return tl::unexpected(masked.error());
    }
    if (const Result<void> written = write(*path, *masked); !written) {
        return tl::unexpected(written.error());
    }
    return path;
}

Result<QString> renameUserTemplate(const QString &path, const QString &name)
{
    if (baseName(path) == name.simplified()) {
        return path;
    }
    const Result<QString> wanted = pathFor(name);
    if (!wanted) {
        return wanted;
    }
    QFile file(path);
    if (!file.rename(*wanted)) {
        return fail(QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), *wanted}, {QStringLiteral("reason"), file.errorString()}});
    }
    return wanted;
}

Result<QByteArray> removeUserTemplate(const QString &path)
{
    const Result<QByteArray> bytes = contents(path);
    if (!bytes) {
        return bytes;
    }
    QFile file(path);
    if (!file.remove()) {
        return fail(QStringLiteral("file.unwritable"),
            {{QStringLiteral("file"), path}, {QStringLiteral("reason"), file.errorString()}});
    }
    return bytes;
}

Result<void> restoreUserTemplate(const QString &path, const QByteArray &bytes)
{
    if (QFileInfo::exists(path)) { // one that was saved meanwhile
        return fail(QStringLiteral("template.exists"), {{QStringLiteral("name"), baseName(path)}});
    }
    return write(path, bytes);
}

} // namespace trainyard
