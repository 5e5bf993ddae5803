// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterdialog.h"

#include "engine/client/slurmoptions.h"
#include "widgets/form/pathchoice.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{

// "~" is what shells make of it; settings have the whole path.
// On a login node it is the home folder there.
QString wholeFolder(const QString &typed, bool isHere)
{
    const QString folder = typed.trimmed();
    if (folder.isEmpty()) {
        return {};
    }
    if (!isHere) {
        return QDir::cleanPath(folder);
    }
    const bool isHome = folder == QLatin1String("~") || folder.startsWith(QLatin1String("~/"));
    return QDir::cleanPath(isHome ? QDir::homePath() + folder.mid(1) : folder);
}

} // namespace

ClusterDialog::ClusterDialog(const QStringList &takenNames, QWidget *parent) : ClusterDialog({}, takenNames, parent) { }

ClusterDialog::ClusterDialog(const ClusterEntry &present, QWidget *parent)
    : ClusterDialog(present, QStringList(), parent)
{
}

ClusterDialog::ClusterDialog(const ClusterEntry &present, const QStringList &takenNames, QWidget *parent)
    : ClusterSetup(
        {QStringLiteral("cluster"), tr("Add a Slurm cluster"), tr("Change a Slurm cluster"), present.name, takenNames},
        parent),
      m_options(clusterField("clusterOptions", tr("Options of sbatch"), present.options)),
      m_modules(clusterField("clusterModules", tr("Modules"), present.modules)),
      m_folder(clusterField("clusterFolder", tr("Shared folder"), present.folder)), m_login(new QComboBox),
      m_images(new QComboBox), m_optionsError(clusterFieldError("clusterOptionsError")),
      m_modulesError(clusterFieldError("clusterModulesError")), m_folderError(clusterFieldError("clusterFolderError")),
      m_folderHelp(smallMutedLabel(tr("All nodes share it with this computer; the runs are kept there."))),
      m_browse(pathButton(QStringLiteral("clusterBrowse"), tr("Choose the shared folder")))
{
    m_options->setPlaceholderText(QStringLiteral("--partition=gpu --account=vision --time=8:00:00"));
    m_modules->setPlaceholderText(QStringLiteral("cuda/12, python/3.11"));
    m_folder->setPlaceholderText(tr("the state folder, below the home folder"));
    m_browse->setFocusPolicy(Qt::StrongFocus);
    m_login->setObjectName(QStringLiteral("clusterLogin"));
    m_login->setAccessibleName(tr("Commands run on"));
    m_login->addItem(tr("this computer"), QString());
    if (!present.login.isEmpty()) {
        m_login->addItem(present.login, present.login);
        m_login->setCurrentIndex(1);
    }
    m_images->setObjectName(QStringLiteral("clusterImages"));
    m_images->setAccessibleName(tr("Images"));
    m_images->addItem(tr("are not used"), QString());
    m_images->addItem(tr("with apptainer"), QString(apptainerImages));
    m_images->addItem(tr("with pyxis (srun --container-image)"), QString(pyxisImages));
    m_images->setCurrentIndex(std::max(0, m_images->findData(present.images)));
    QLabel *imagesHelp
        = smallMutedLabel(tr("How tasks enter the images of their roles. The nodes must have the program."));
    QLabel *modulesHelp = smallMutedLabel(
        tr("Tasks load them on the nodes before anything else, in this order. Images do not get them."));
    QLabel *loginHelp = smallMutedLabel(
        tr("A host of the page Hosts that has sbatch and the files of the nodes, such as a login node. No other tasks "
           "start there."));
    QLabel *help = smallMutedLabel(
        tr("Partition, account, quality of service, time and so on, as sbatch takes them. What each job says itself, "
           "such as processors, memory and GPUs, is not set here."));
    for (QLabel *label : {help, loginHelp, modulesHelp, imagesHelp, m_folderHelp}) {
        label->setWordWrap(true);
    }

    addToClusterGrid(grid(), tr("Options of sbatch"), m_options, {m_optionsError, help});
    addToClusterGrid(grid(), tr("Commands run on"), m_login, {loginHelp});
    addToClusterGrid(grid(), tr("Modules"), m_modules, {m_modulesError, modulesHelp});
    addToClusterGrid(grid(), tr("Images"), m_images, {imagesHelp});
    addToClusterGrid(grid(), tr("Shared folder"), besidePathButton(m_folder, m_browse), {m_folderError, m_folderHelp});

    finish(m_options);
    for (QLineEdit *field : {m_options, m_modules, m_folder}) {
        connect(field, &QLineEdit::textChanged, this, &ClusterDialog::check);
    }
    connect(m_login, &QComboBox::currentIndexChanged, this, &ClusterDialog::check);
    connect(m_browse, &QToolButton::clicked, this, [this] { Q_EMIT folderRequested(entry().folder); });
    connect(this, &ClusterSetup::nameChanged, this, &ClusterDialog::check);
    connect(this, &ClusterSetup::saveClicked, this, [this] { Q_EMIT saveRequested(entry()); });
    check();
}

ClusterEntry ClusterDialog::entry() const
{
    const QString login = m_login->currentData().toString();
    return {name(), m_options->text().trimmed(), wholeFolder(m_folder->text(), login.isEmpty()), login,
        m_images->currentData().toString(), slurmModules(m_modules->text()).value_or(QStringList()).join(u',')};
}

void ClusterDialog::setHosts(const QStringList &names)
{
    for (const QString &host : names) {
        if (m_login->findData(host) < 0) {
            m_login->addItem(host, host);
        }
    }
}

void ClusterDialog::setLogin(const QString &host)
{
    if (!host.isEmpty()) {
        setHosts({host});
    }
    m_login->setCurrentIndex(std::max(0, m_login->findData(host)));
}

void ClusterDialog::check()
{
    const ClusterEntry typed = entry();
    const Result<QStringList> options = slurmOptions(typed.options);
    const QString option = options ? QString() : errorText(options.error());
    const Result<QStringList> modules = slurmModules(m_modules->text());
    const QString module = modules ? QString() : errorText(modules.error());
    const bool isHere = typed.login.isEmpty();
    m_browse->setEnabled(isHere); // the folders of other hosts are not seen here
    m_folderHelp->setText(isHere ? tr("All nodes share it with this computer; the runs are kept there.")
                                 : tr("All nodes share it with %1; the runs are kept there.").arg(typed.login));
    const bool isOfHome = !isHere && typed.folder.startsWith(QLatin1String("~/"));
    const QString folder = typed.folder.isEmpty() || isOfHome || QDir::isAbsolutePath(typed.folder)
        ? QString()
        : tr("Write the whole path of the folder, which begins with /.");
    sayBeside(m_options, m_optionsError, option);
    sayBeside(m_modules, m_modulesError, module);
    sayBeside(m_folder, m_folderError, folder);
    allowSaving(option.isEmpty() && module.isEmpty() && folder.isEmpty());
}

void ClusterDialog::setFolder(const QString &folder) { m_folder->setText(folder); }

} // namespace trainyard
