// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/openpaidialog.h"

#include "engine/client/openpaisettings.h"
#include "widgets/hosts/clusterfields.h"
#include "widgets/text/texts.h"

#include <QComboBox>
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
                       present.name, takenNames, 6},
        parent),
      m_isPlainAllowed(present.isPlainAllowed),
      m_address(clusterField("openPaiAddress", tr("Address"), present.address)),
      m_user(clusterField("openPaiUser", tr("User"), present.user)),
      m_cluster(clusterField("openPaiCluster", tr("Virtual cluster"), present.virtualCluster)),
      m_token(clusterField("openPaiToken", tr("Token"), {})), m_way(new QComboBox), m_tokenHelp(smallMutedLabel({})),
      m_addressError(clusterFieldError("openPaiAddressError")), m_userError(clusterFieldError("openPaiUserError"))
{
    m_address->setPlaceholderText(QStringLiteral("https://pai.example.org"));
    m_cluster->setPlaceholderText(QStringLiteral("default"));
    m_token->setEchoMode(QLineEdit::Password);
    m_way->setObjectName(QStringLiteral("openPaiWay"));
    m_way->setAccessibleName(tr("Log in with"));
    m_way->addItems({tr("a token"), tr("the password")});
    QLabel *clusterHelp = smallMutedLabel(tr("For jobs that name none."));
    m_tokenHelp->setObjectName(QStringLiteral("openPaiTokenHelp"));
    m_tokenHelp->setWordWrap(true);

    addToClusterGrid(grid(), tr("Address"), m_address, {m_addressError});
    addToClusterGrid(grid(), tr("User"), m_user, {m_userError});
    addToClusterGrid(grid(), tr("Virtual cluster"), m_cluster, {clusterHelp});
    addToClusterGrid(grid(), tr("Log in with"), m_way, {m_token, m_tokenHelp});
    showLogin();
    finish(m_address);
    connect(m_way, &QComboBox::currentIndexChanged, this, [this] {
        m_token->clear(); // a password is no token
        showLogin();
        check();
    });
    for (QLineEdit *field : {m_address, m_user, m_cluster, m_token}) {
        connect(field, &QLineEdit::textChanged, this, &OpenPaiDialog::check);
    }
    connect(this, &ClusterSetup::nameChanged, this, &OpenPaiDialog::check);
    connect(this, &ClusterSetup::saveClicked, this, [this] { Q_EMIT saveRequested(entry()); });
    check();
}

bool OpenPaiDialog::isByPassword() const { return m_way->currentIndex() == 1; }

void OpenPaiDialog::showLogin()
{
    m_token->setAccessibleName(isByPassword() ? tr("Password") : tr("Token"));
    m_token->setPlaceholderText(isNew() || isByPassword() ? QString() : tr("unchanged"));
    m_tokenHelp->setText(isByPassword()
            ? tr("The cluster makes a token that expires, usually after seven days. The keyring keeps the token, if "
                 "there is one; the password is not kept.")
            : tr("You get it on the page of your profile at the cluster. It is in no file; the keyring keeps it, if "
                 "there is one."));
}

OpenPaiEntry OpenPaiDialog::entry() const
{
    const QString typed = m_address->text().trimmed();
    return {name(), openPaiAddress(typed, m_isPlainAllowed).value_or(typed), m_user->text().trimmed(),
        m_cluster->text().trimmed(), isByPassword() ? QString() : m_token->text().trimmed(), m_isPlainAllowed,
        isByPassword() ? m_token->text() : QString()};
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
    allowSaving(address && user && !((isNew() || isByPassword()) && m_token->text().trimmed().isEmpty()));
}

} // namespace trainyard
