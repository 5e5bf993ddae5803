// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clustersetup.h"

#include "engine/client/slurmoptions.h"
#include "widgets/common/infobar.h"
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

constexpr int setupWidth = 620;

} // namespace

ClusterSetup::ClusterSetup(const Subject &subject, QWidget *parent)
    : QDialog(parent), m_isNew(subject.name.isEmpty()), m_subject(subject),
      m_name(clusterField("", tr("Name"), subject.name)), m_nameError(clusterFieldError("")), m_fields(new QWidget),
      m_grid(clusterGrid(m_fields)), m_progress(smallMutedLabel(tr("Saving…"))), m_bar(new InfoBar)
{
    setObjectName(subject.kind + QStringLiteral("Dialog"));
    setWindowTitle(m_isNew ? subject.addTitle : subject.changeTitle);
    setAttribute(Qt::WA_DeleteOnClose);
    m_name->setObjectName(subject.kind + QStringLiteral("Name"));
    m_nameError->setObjectName(subject.kind + QStringLiteral("NameError"));
    m_progress->setObjectName(subject.kind + QStringLiteral("Progress"));
    m_name->setPlaceholderText(tr("lab"));
    m_name->setEnabled(m_isNew); // jobs name it so
    addToClusterGrid(m_grid, tr("Name"), m_name, {m_nameError});
    connect(m_name, &QLineEdit::textChanged, this, &ClusterSetup::nameChanged);
}

void ClusterSetup::finish(QWidget *first)
{
    m_progress->hide();
    m_bar->setBoxed(true);
    m_bar->setClosable(false);
    m_bar->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_save = buttons->addButton(m_isNew ? tr("Add and check") : tr("Save and check"), QDialogButtonBox::AcceptRole);
    m_save->setObjectName(m_subject.kind + QStringLiteral("Save"));
    setButtonKind(m_save, ButtonKind::Primary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(m_isNew ? m_subject.addTitle : tr("Change %1").arg(m_subject.name)));
    layout->addWidget(m_fields);
    layout->addWidget(m_bar);
    layout->addStretch();
    layout->addWidget(m_progress);
    layout->addWidget(buttons);
    // In the dialog by now, which would take the first of its buttons for Enter otherwise, although that one cancels.
    m_save->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    // With room for what may be wrong, so that nothing moves while the user types.
    resize(setupWidth,
        layout->totalHeightForWidth(setupWidth)
            + m_subject.mostErrorLines * QFontMetrics(fonts::small()).lineSpacing());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        setSaving(true);
        Q_EMIT saveClicked();
    });
    (m_isNew ? m_name : first)->setFocus();
}

QString ClusterSetup::name() const { return m_name->text().trimmed(); }

QString ClusterSetup::nameError() const
{
    const QString typed = name();
    if (!m_isNew || typed.isEmpty()) {
        return {};
    }
    if (const Result<void> good = checkTargetName(typed); !good) {
        return errorText(good.error());
    }
    return m_subject.takenNames.contains(typed)
        ? tr("There is a cluster called %1 already. Choose another name, or change that one.").arg(typed)
        : QString();
}

void ClusterSetup::allowSaving(bool areOthersGood)
{
    const QString error = nameError();
    sayBeside(m_name, m_nameError, error);
    m_isSaveAllowed = areOthersGood && !name().isEmpty() && error.isEmpty();
    m_save->setEnabled(m_isSaveAllowed);
}

void ClusterSetup::setSaving(bool isSaving)
{
    m_fields->setEnabled(!isSaving);
    m_progress->setVisible(isSaving);
    m_bar->hide();
    m_save->setEnabled(!isSaving && m_isSaveAllowed);
}

void ClusterSetup::setSaveError(const QString &sentence)
{
    setSaving(false);
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
}

void ClusterSetup::setSaved() { accept(); }

} // namespace trainyard
