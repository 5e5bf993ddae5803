// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/diffdialog.h"

#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/diff/diffview.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard
{

DiffDialog::DiffDialog(const Words &words, const QByteArray &before, const QByteArray &after, QWidget *parent)
    : QDialog(parent), m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel))
{
    setWindowTitle(words.window);
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space5, metrics::space4, metrics::space5, metrics::space4);
    layout->setSpacing(metrics::space3);
    QLabel *heading = headingLabel(breakable(words.heading));
    heading->setWordWrap(true);
    layout->addWidget(heading);
    QLabel *help = mutedLabel(words.help);
    help->setWordWrap(true);
    layout->addWidget(help);
    auto *view = new DiffView;
    view->setMode(DiffView::Mode::SideBySide);
    view->setTexts(before, after);
    layout->addWidget(view, 1);
    layout->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(960, 480);
    view->setCurrentChange(0);
}

void DiffDialog::addAnswer(const QString &text, int answer, bool isOffered, const char *name)
{
    QPushButton *button = m_buttons->addButton(text, QDialogButtonBox::ActionRole);
    button->setObjectName(QLatin1StringView(name));
    setButtonKind(button, isOffered ? ButtonKind::Primary : ButtonKind::Normal);
    button->setDefault(isOffered); // counts only inside of the dialog
    connect(button, &QPushButton::clicked, this, [this, answer] { done(answer); });
}

} // namespace trainyard
