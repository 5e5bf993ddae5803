// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterdialog.h"

#include "engine/client/slurmoptions.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/form/pathchoice.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int clusterDialogWidth = 620;
constexpr int mostErrorLines = 4;

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

ClusterDialog::ClusterDialog(const QStringList &takenNames, QWidget *parent)
    : ClusterDialog({}, takenNames, true, parent)
{
}

ClusterDialog::ClusterDialog(const ClusterEntry &present, QWidget *parent)
    : ClusterDialog(present, QStringList(), false, parent)
{
}

ClusterDialog::ClusterDialog(const ClusterEntry &present, const QStringList &takenNames, bool isNew, QWidget *parent)
    : QDialog(parent), m_isNew(isNew), m_taken(takenNames),
      m_name(clusterField("clusterName", tr("Name"), present.name)),
      m_options(clusterField("clusterOptions", tr("Options of sbatch"), present.options)),
      m_folder(clusterField("clusterFolder", tr("Shared folder"), present.folder)), m_login(new QComboBox),
      m_images(new QComboBox), m_nameError(clusterFieldError("clusterNameError")),
      m_optionsError(clusterFieldError("clusterOptionsError")), m_folderError(clusterFieldError("clusterFolderError")),
      m_folderHelp(smallMutedLabel(tr("All nodes share it with this computer; the runs are kept there."))),
      m_browse(pathButton(QStringLiteral("clusterBrowse"), tr("Choose the shared folder"))), m_fields(new QWidget),
      m_progress(smallMutedLabel(tr("Saving…"))), m_bar(new InfoBar)
{
    setObjectName(QStringLiteral("clusterDialog"));
    setWindowTitle(isNew ? tr("Add a Slurm cluster") : tr("Change a Slurm cluster"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_name->setPlaceholderText(tr("lab"));
    m_name->setEnabled(isNew); // jobs name it so
    m_options->setPlaceholderText(QStringLiteral("--partition=gpu --account=vision --time=8:00:00"));
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
    QLabel *imagesHelp = smallMutedLabel(tr("How tasks enter the images of their roles. The nodes have to have it."));
    QLabel *loginHelp = smallMutedLabel(
        tr("A host of the page Hosts that has sbatch and the files of the nodes, such as a login node. No other tasks "
           "start there."));
    QLabel *help = smallMutedLabel(
        tr("Partition, account, quality of service, time and so on, as sbatch takes them. What each job says itself, "
           "such as processors, memory and GPUs, is not set here."));
    for (QLabel *label : {help, loginHelp, imagesHelp, m_folderHelp}) {
        label->setWordWrap(true);
    }

    QGridLayout *grid = clusterGrid(m_fields);
    addToClusterGrid(grid, tr("Name"), m_name, {m_nameError});
    addToClusterGrid(grid, tr("Options of sbatch"), m_options, {m_optionsError, help});
    addToClusterGrid(grid, tr("Commands run on"), m_login, {loginHelp});
    addToClusterGrid(grid, tr("Images"), m_images, {imagesHelp});
    addToClusterGrid(grid, tr("Shared folder"), besidePathButton(m_folder, m_browse), {m_folderError, m_folderHelp});

    m_progress->setObjectName(QStringLiteral("clusterProgress"));
    m_progress->hide();
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_save = buttons->addButton(isNew ? tr("Add and check") : tr("Save and check"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(QStringLiteral("clusterSave"));
    setButtonKind(m_save, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(isNew ? tr("Add a Slurm cluster") : tr("Change %1").arg(present.name)));
    layout->addWidget(m_fields);
    layout->addWidget(m_bar);
    layout->addStretch();
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    // In the dialog by now, which would take the first of its buttons for Enter otherwise, although that one cancels.
    m_save->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    // With room for what may be wrong, so that nothing moves while somebody types.
    resize(clusterDialogWidth,
        layout->totalHeightForWidth(clusterDialogWidth) + mostErrorLines * QFontMetrics(fonts::small()).lineSpacing());

    for (QLineEdit *field : {m_name, m_options, m_folder}) {
        connect(field, &QLineEdit::textChanged, this, &ClusterDialog::check);
    }
    connect(m_login, &QComboBox::currentIndexChanged, this, &ClusterDialog::check);
    connect(m_browse, &QToolButton::clicked, this, [this] { Q_EMIT folderRequested(entry().folder); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        setSaving(true);
        Q_EMIT saveRequested(entry());
    });
    (isNew ? m_name : m_options)->setFocus();
    check();
}

ClusterEntry ClusterDialog::entry() const
{
    const QString login = m_login->currentData().toString();
    return {m_name->text().trimmed(), m_options->text().trimmed(), wholeFolder(m_folder->text(), login.isEmpty()),
        login, m_images->currentData().toString()};
}

void ClusterDialog::setHosts(const QStringList &names)
{
    for (const QString &name : names) {
        if (m_login->findData(name) < 0) {
            m_login->addItem(name, name);
        }
    }
}

QString ClusterDialog::nameError(const QString &name) const
{
    if (!m_isNew || name.isEmpty()) {
        return {};
    }
    if (const Result<void> good = checkTargetName(name); !good) {
        return errorText(good.error());
    }
    return m_taken.contains(name)
        ? tr("There is a cluster called %1 already. Choose another name, or change that one.").arg(name)
        : QString();
}

void ClusterDialog::check()
{
    const ClusterEntry typed = entry();
    const QString name = nameError(typed.name);
    const Result<QStringList> options = slurmOptions(typed.options);
    const QString option = options ? QString() : errorText(options.error());
    const bool isHere = typed.login.isEmpty();
    m_browse->setEnabled(isHere); // the folders of other hosts are not seen here
    m_folderHelp->setText(isHere ? tr("All nodes share it with this computer; the runs are kept there.")
                                 : tr("All nodes share it with %1; the runs are kept there.").arg(typed.login));
    const bool isOfHome = !isHere && typed.folder.startsWith(QLatin1String("~/"));
    const QString folder = typed.folder.isEmpty() || isOfHome || QDir::isAbsolutePath(typed.folder)
        ? QString()
        : tr("Write the whole path of the folder, which begins with /.");
    sayBeside(m_name, m_nameError, name);
    sayBeside(m_options, m_optionsError, option);
    sayBeside(m_folder, m_folderError, folder);
    m_save->setEnabled(!typed.name.isEmpty() && name.isEmpty() && option.isEmpty() && folder.isEmpty());
}

void ClusterDialog::setSaving(bool isSaving)
{
    m_fields->setEnabled(!isSaving);
    m_progress->setVisible(isSaving);
    m_bar->hide();
    m_save->setEnabled(!isSaving);
}

void ClusterDialog::setFolder(const QString &folder) { m_folder->setText(folder); }

void ClusterDialog::setSaveError(const QString &sentence)
{
    setSaving(false);
    check();
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
}

void ClusterDialog::setSaved() { accept(); }

} // namespace trainyard
