// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/openpaidialog.h"

#include "engine/client/openpaisettings.h"
#include "engine/client/slurmoptions.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

constexpr int openPaiDialogWidth = 620;
constexpr int mostOpenPaiErrorLines = 5;

} // namespace

OpenPaiDialog::OpenPaiDialog(const QStringList &takenNames, QWidget *parent)
    : OpenPaiDialog({}, takenNames, true, parent)
{
}

OpenPaiDialog::OpenPaiDialog(const OpenPaiEntry &present, QWidget *parent)
    : OpenPaiDialog(present, QStringList(), false, parent)
{
}

OpenPaiDialog::OpenPaiDialog(const OpenPaiEntry &present, const QStringList &takenNames, bool isNew, QWidget *parent)
    : QDialog(parent), m_isNew(isNew), m_isPlainAllowed(present.isPlainAllowed), m_taken(takenNames),
      m_name(clusterField("openPaiName", tr("Name"), present.name)),
      m_address(clusterField("openPaiAddress", tr("Address"), present.address)),
      m_user(clusterField("openPaiUser", tr("User"), present.user)),
      m_cluster(clusterField("openPaiCluster", tr("Virtual cluster"), present.virtualCluster)),
      m_token(clusterField("openPaiToken", tr("Token"), {})), m_nameError(clusterFieldError("openPaiNameError")),
      m_addressError(clusterFieldError("openPaiAddressError")), m_userError(clusterFieldError("openPaiUserError")),
      m_fields(new QWidget), m_progress(smallMutedLabel(tr("Saving…"))), m_bar(new InfoBar)
{
    setObjectName(QStringLiteral("openPaiDialog"));
    setWindowTitle(isNew ? tr("Add an OpenPAI cluster") : tr("Change an OpenPAI cluster"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_name->setPlaceholderText(tr("lab"));
    m_name->setEnabled(isNew); // jobs name it so
    m_address->setPlaceholderText(QStringLiteral("https://pai.example.org"));
    m_cluster->setPlaceholderText(QStringLiteral("default"));
    m_token->setEchoMode(QLineEdit::Password);
    m_token->setPlaceholderText(isNew ? QString() : tr("unchanged"));
    QLabel *clusterHelp = smallMutedLabel(tr("For jobs that name none."));
    QLabel *tokenHelp = smallMutedLabel(
        tr("You get it on the page of your profile at the cluster. The keyring keeps it; it is in no file."));
    tokenHelp->setWordWrap(true);

    QGridLayout *grid = clusterGrid(m_fields);
    addToClusterGrid(grid, tr("Name"), m_name, {m_nameError});
    addToClusterGrid(grid, tr("Address"), m_address, {m_addressError});
    addToClusterGrid(grid, tr("User"), m_user, {m_userError});
    addToClusterGrid(grid, tr("Virtual cluster"), m_cluster, {clusterHelp});
    addToClusterGrid(grid, tr("Token"), m_token, {tokenHelp});

    m_progress->hide();
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_save = buttons->addButton(isNew ? tr("Add and check") : tr("Save and check"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(QStringLiteral("openPaiSave"));
    setButtonKind(m_save, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(isNew ? tr("Add an OpenPAI cluster") : tr("Change %1").arg(present.name)));
    layout->addWidget(m_fields);
    layout->addWidget(m_bar);
    layout->addStretch();
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    // In the dialog by now, which would take the first of its buttons for Enter otherwise, although that one cancels.
    m_save->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    // With room for what may be wrong, so that nothing moves while somebody types.
    resize(openPaiDialogWidth,
        layout->totalHeightForWidth(openPaiDialogWidth)
            + mostOpenPaiErrorLines * QFontMetrics(fonts::small()).lineSpacing());

    for (QLineEdit *field : {m_name, m_address, m_user, m_cluster, m_token}) {
        connect(field, &QLineEdit::textChanged, this, &OpenPaiDialog::check);
    }
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        setSaving(true);
        Q_EMIT saveRequested(entry());
    });
    (isNew ? m_name : m_address)->setFocus();
    check();
}

OpenPaiEntry OpenPaiDialog::entry() const
{
    const QString typed = m_address->text().trimmed();
    return {m_name->text().trimmed(), openPaiAddress(typed, m_isPlainAllowed).value_or(typed), m_user->text().trimmed(),
        m_cluster->text().trimmed(), m_token->text().trimmed(), m_isPlainAllowed};
}

QString OpenPaiDialog::nameError(const QString &name) const
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

void OpenPaiDialog::check()
{
    const OpenPaiEntry typed = entry();
    const QString name = nameError(typed.name);
    const Result<QString> address = openPaiAddress(typed.address, m_isPlainAllowed);
    const QString addressError = address || typed.address.isEmpty() ? QString() : errorText(address.error());
    const Result<void> user = checkOpenPaiUser(typed.user);
    const QString userError = user || typed.user.isEmpty()
        ? QString()
        : tr("A name at OpenPAI has letters, digits, and the characters . _ -");
    sayBeside(m_name, m_nameError, name);
    sayBeside(m_address, m_addressError, addressError);
    sayBeside(m_user, m_userError, userError);
    m_save->setEnabled(
        !typed.name.isEmpty() && name.isEmpty() && address && user && !(m_isNew && typed.token.isEmpty()));
}

void OpenPaiDialog::setSaving(bool isSaving)
{
    m_fields->setEnabled(!isSaving);
    m_progress->setVisible(isSaving);
    m_bar->hide();
    m_save->setEnabled(!isSaving);
}

void OpenPaiDialog::setSaveError(const QString &sentence)
{
    setSaving(false);
    check();
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
}

void OpenPaiDialog::setSaved() { accept(); }

} // namespace trainyard
