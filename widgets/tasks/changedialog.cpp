// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/changedialog.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffview.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

ChangeDialog::ChangeDialog(const QString &title, const QByteArray &before, const QByteArray &after, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("changeDialog"));
    setWindowTitle(tr("Change the job"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(headingLabel(title));
    QLabel *help = mutedLabel(
        tr("The text of the run is on the left. \"Edit as new\" opens the text on the right as a new document; nothing "
           "runs yet, and the run stays as it is."));
    help->setWordWrap(true);
    layout->addWidget(help);
    auto *view = new DiffView;
    view->setMode(DiffView::Mode::SideBySide);
    view->setTexts(before, after);
    layout->addWidget(view, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *edit = buttons->addButton(tr("Edit as new"), QDialogButtonBox::AcceptRole);
    setButtonKind(edit, ButtonKind::Primary);
    layout->addWidget(buttons);
    edit->setDefault(true); // counts only inside of the dialog
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(960, 480);
    view->setCurrentChange(0);
}

} // namespace trainyard
