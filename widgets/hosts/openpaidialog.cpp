// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/openpaidialog.h"

#include "engine/client/openpaisettings.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QLineEdit>

namespace trainyard
{

OpenPaiDialog::OpenPaiDialog(const QStringList &takenNames, QWidget *parent) : OpenPaiDialog({}, takenNames, parent) { }

OpenPaiDialog::OpenPaiDialog(const OpenPaiEntry &present, QWidget *parent)
    : OpenPaiDialog(present, QStringList(), parent)
{
}

OpenPaiDialog::OpenPaiDialog(const OpenPaiEntry &present, const QStringList &takenNames, QWidget *parent)
    : ClusterSetup({QStringLiteral("openPai"), tr("Add an OpenPAI cluster"), tr("Change an OpenPAI cluster"),
                       present.name, takenNames, 5},
        parent),
      m_isPlainAllowed(present.isPlainAllowed),
      m_address(clusterField("openPaiAddress", tr("Address"), present.address)),
      m_user(clusterField("openPaiUser", tr("User"), present.user)),
      m_cluster(clusterField("openPaiCluster", tr("Virtual cluster"), present.virtualCluster)),
      m_token(clusterField("openPaiToken", tr("Token"), {})), m_addressError(clusterFieldError("openPaiAddressError")),
      m_userError(clusterFieldError("openPaiUserError"))
{
    m_address->setPlaceholderText(QStringLiteral("https://pai.example.org"));
    m_cluster->setPlaceholderText(QStringLiteral("default"));
    m_token->setEchoMode(QLineEdit::Password);
    m_token->setPlaceholderText(isNew() ? QString() : tr("unchanged"));
    QLabel *clusterHelp = smallMutedLabel(tr("For jobs that name none."));
    QLabel *tokenHelp = smallMutedLabel(tr("You get it on the page of your profile at the cluster. It is in no file; "
                                           "the keyring keeps it, if there is one."));
    tokenHelp->setWordWrap(true);

    addToClusterGrid(grid(), tr("Address"), m_address, {m_addressError});
    addToClusterGrid(grid(), tr("User"), m_user, {m_userError});
    addToClusterGrid(grid(), tr("Virtual cluster"), m_cluster, {clusterHelp});
    addToClusterGrid(grid(), tr("Token"), m_token, {tokenHelp});
    finish(m_address);
    for (QLineEdit *field : {m_address, m_user, m_cluster, m_token}) {
        connect(field, &QLineEdit::textChanged, this, &OpenPaiDialog::check);
    }
    connect(this, &ClusterSetup::nameChanged, this, &OpenPaiDialog::check);
    connect(this, &ClusterSetup::saveClicked, this, [this] { Q_EMIT saveRequested(entry()); });
    check();
}

OpenPaiEntry OpenPaiDialog::entry() const
{
    const QString typed = m_address->text().trimmed();
    return {name(), openPaiAddress(typed, m_isPlainAllowed).value_or(typed), m_user->text().trimmed(),
        m_cluster->text().trimmed(), m_token->text().trimmed(), m_isPlainAllowed};
}

void OpenPaiDialog::check()
{
    const OpenPaiEntry typed = entry();
    const Result<QString> address = openPaiAddress(typed.address, m_isPlainAllowed);
    const QString addressError = address || typed.address.isEmpty() ? QString() : errorText(address.error());
    const Result<void> user = checkOpenPaiUser(typed.user);
    const QString userError = user || typed.user.isEmpty()
        ? QString()
        : tr("A name at OpenPAI has letters, digits, and the characters . _ -");
    sayBeside(m_address, m_addressError, addressError);
    sayBeside(m_user, m_userError, userError);
    allowSaving(address && user && !(isNew() && typed.token.isEmpty()));
}

} // namespace trainyard
