// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/changedialog.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/diff/diffview.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

ChangeDialog::ChangeDialog(
    const QString &title, const QByteArray &before, const QByteArray &after, Answer offer, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("changeDialog"));
    setWindowTitle(tr("Change the job"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    QLabel *heading = headingLabel(breakable(title));
    heading->setWordWrap(true);
    layout->addWidget(heading);
    QLabel *help = mutedLabel(tr(
        "The text of the run is on the left, the changed one on the right. Run submits the changed one as a new job; "
        "\"Edit as new\" opens it as a new document. The run that failed stays as it is."));
    help->setWordWrap(true);
    layout->addWidget(help);
    auto *view = new DiffView;
    view->setMode(DiffView::Mode::SideBySide);
    view->setTexts(before, after);
    layout->addWidget(view, 1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    layout->addWidget(buttons);
    const auto add = [&](const QString &text, Answer answer, const char *name) {
        QPushButton *button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1StringView(name));
        setButtonKind(button, answer == offer ? ButtonKind::Primary : ButtonKind::Normal);
        button->setDefault(answer == offer); // counts only inside of the dialog
        connect(button, &QPushButton::clicked, this, [this, answer] { done(answer); });
    };
    add(tr("Edit as new"), EditAsNew, "changeEdit");
    add(tr("Run"), Run, "changeRun");
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(960, 480);
    view->setCurrentChange(0);
}

} // namespace trainyard
