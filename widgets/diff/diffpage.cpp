// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diff/diffpage.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/pagehead.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/diff/diffview.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{

DiffPage::DiffPage(QWidget *parent)
    : QWidget(parent), m_head(new PageHead), m_pick(new QComboBox), m_bar(new InfoBar), m_count(smallMutedLabel({})),
      m_next(new QToolButton), m_previous(new QToolButton),
      m_mode(new SegmentedControl({tr("Side by side"), tr("One column")})), m_oldTitle(new ElidedLabel),
      m_newTitle(new ElidedLabel), m_body(new QWidget), m_empty(new EmptyState), m_view(new DiffView)
{
    setObjectName(QStringLiteral("diffPage"));
    QHBoxLayout *row = m_head->row();
    row->addStretch(1);
    row->addWidget(mutedLabel(tr("with")));
    m_pick->setObjectName(QStringLiteral("diffSource"));
    m_pick->setAccessibleName(tr("What to compare with"));
    m_pick->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_pick->setMinimumContentsLength(14);
    m_pick->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_pick->setMaximumWidth(320);
    m_pick->setMaxVisibleItems(20);
    m_pick->setEditable(true);
    m_pick->setInsertPolicy(QComboBox::NoInsert);
    m_pick->completer()->setFilterMode(Qt::MatchContains);
    m_pick->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_pick->lineEdit()->setPlaceholderText(tr("Find a run"));
    row->addWidget(m_pick, 100'000); // all the room that is left, up to its most
    auto *titles = new Ground(Colour::Surface);
    titles->setBorders(Qt::BottomEdge);
    titles->setFixedHeight(metrics::pageBar);
    auto *titleRow = new QHBoxLayout(titles);
    titleRow->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    titleRow->setSpacing(0);
    for (ElidedLabel *label : {m_oldTitle, m_newTitle}) {
        label->setColour(Colour::Muted);
        label->setFont(fonts::small());
    }
    titleRow->addWidget(m_oldTitle, 1);
    auto *right = new QHBoxLayout;
    right->setContentsMargins(metrics::space2, 0, 0, 0);
    right->setSpacing(metrics::space1);
    right->addWidget(m_newTitle, 1);
    right->addWidget(m_count);
    titleRow->addLayout(right, 1);
    const auto step = [&](QToolButton *button, const char *name, const QString &iconName, const QString &text,
                          const QKeySequence &key, void (DiffView::*slot)()) {
        auto *action = new QAction(icon(iconName), text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setStatusTip(text);
        action->setToolTip(plainTip(QStringLiteral("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText))));
        addAction(action);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setIconSize({metrics::rowIcon, metrics::rowIcon});
        button->setFixedSize(metrics::field, metrics::field);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(text);
        connect(action, &QAction::triggered, m_view, slot);
        right->addWidget(button);
    };
    step(m_previous, "diffPrevious", QStringLiteral("chevron-up"), tr("Previous change"), Qt::SHIFT | Qt::Key_F7,
        &DiffView::previousChange);
    step(m_next, "diffNext", QStringLiteral("chevron-down"), tr("Next change"), Qt::Key_F7, &DiffView::nextChange);
    right->addSpacing(metrics::space1);
    m_mode->setObjectName(QStringLiteral("diffMode"));
    m_mode->setAccessibleName(tr("How differences are shown"));
    right->addWidget(m_mode);
    auto *back = new QPushButton(icon(QStringLiteral("edit")), tr("Back to the job"));
    back->setObjectName(QStringLiteral("diffBack"));
    m_head->addButton(back);

    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(titles);
    body->addWidget(m_view, 1);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_bar);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_body);
    m_stack->addWidget(m_empty);
    layout->addLayout(m_stack, 1);
    m_bar->setClosable(false);
    setFocusProxy(m_view);

    connect(m_pick, &QComboBox::activated, this, [this](int index) {
        m_hasOther = false;
        refresh();
        Q_EMIT sourceChosen(m_pick->itemData(index).toString());
    });
    connect(m_mode, &SegmentedControl::currentChanged, this, [this](int index) {
        m_view->setMode(index == 0 ? DiffView::Mode::SideBySide : DiffView::Mode::Unified);
        refresh();
    });
    connect(m_view, &DiffView::currentChangeChanged, this, &DiffPage::updateCount);
    connect(back, &QPushButton::clicked, this, &DiffPage::backRequested);
    refresh();
}

void DiffPage::setName(const QString &name)
{
    m_name = name;
    m_head->setHeading(tr("Compare %1").arg(name));
    refresh();
}

QString DiffPage::title() const { return tr("Compare %1").arg(m_name); }
QString DiffPage::chosen() const { return m_pick->currentData().toString(); }

void DiffPage::setSources(const QList<Source> &sources)
{
    if (m_sources == sources) {
        return;
    }
    const QString before = chosen();
    m_sources = sources;
    m_pick->clear();
    for (const Source &source : sources) {
        m_pick->addItem(
            source.detail.isEmpty() ? source.title : QStringLiteral("%1 – %2").arg(source.title, source.detail),
            source.id);
    }
    m_pick->setCurrentIndex(m_pick->findData(before));
    refresh();
}

void DiffPage::choose(const QString &id)
{
    m_pick->setCurrentIndex(m_pick->findData(id));
    m_pick->lineEdit()->setCursorPosition(0);
    m_hasOther = false;
    refresh();
    if (m_pick->currentIndex() >= 0) {
        Q_EMIT sourceChosen(id);
    }
}

void DiffPage::setOther(const QByteArray &text, const QString &note)
{
    m_other = text;
    m_hasOther = true;
    if (note.isEmpty()) {
        m_bar->hide();
    } else {
        m_bar->show(InfoBar::Kind::Info, note.toHtmlEscaped());
    }
    refresh();
}

void DiffPage::setNow(const QByteArray &text)
{
    m_now = text;
    refresh();
}

void DiffPage::setError(const QString &sentence)
{
    m_hasOther = false;
    m_bar->show(InfoBar::Kind::Failed, sentence.toHtmlEscaped());
    refresh();
}

void DiffPage::refresh()
{
    if (m_hasOther) {
        m_view->setTexts(m_other, m_now);
    }
    const bool equal = m_hasOther && m_view->changeCount() == 0;
    if (!m_hasOther) {
        m_empty->setIcon(QStringLiteral("split"));
        m_empty->setText(m_sources.isEmpty() ? tr("There is nothing to compare with yet: save or run this job first.")
                                             : tr("Choose above what to compare with."));
        m_empty->setDetail({});
    } else if (equal) {
        m_empty->setIcon(QStringLiteral("check"), Colour::Succeeded);
        m_empty->setText(tr("No differences."));
        m_empty->setDetail(tr("%1: the same, byte for byte.").arg(m_pick->currentText()));
    }
    m_stack->setCurrentIndex(m_hasOther && !equal ? 0 : 1);
    const bool beside = m_mode->currentIndex() == 0;
    m_oldTitle->setText(beside ? m_pick->currentText() : tr("− %1    + %2").arg(m_pick->currentText(), m_name));
    m_newTitle->setText(beside ? m_name : QString());
    updateCount();
}

void DiffPage::updateCount()
{
    const qsizetype count = m_hasOther ? m_view->changeCount() : 0;
    const qsizetype current = m_view->currentChange();
    m_count->setText(!m_hasOther          ? QString()
            : count == 0                  ? QString()
            : m_view->diff().onlyLineEnds ? tr("only line ends differ")
                                          : tr("change %1 of %2").arg(current + 1).arg(count));
    m_next->defaultAction()->setEnabled(count > 0 && current + 1 < count);
    m_previous->defaultAction()->setEnabled(count > 0 && current > 0);
    m_mode->setEnabled(count > 0);
}

} // namespace trainyard
