// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/configurationview.h"

#include "widgets/common/iconbutton.h"
#include "widgets/common/labels.h"
#include "widgets/diff/diffview.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/findbar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QShortcut>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{

ConfigurationView::ConfigurationView(QWidget *parent)
    : QWidget(parent), m_controls(new QWidget(this)), m_note(mutedLabel({})), m_pages(new QStackedLayout)
{
    m_note->setObjectName(QStringLiteral("configurationNote"));
    m_note->setWordWrap(true);
    m_note->setContentsMargins(metrics::space3, metrics::space2, metrics::space3, metrics::space2);
    m_note->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_note);
    layout->addLayout(m_pages, 1);
    makeControls();
}

void ConfigurationView::makeControls()
{
    auto *layout = new QHBoxLayout(m_controls);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space1);
    const auto tool = [layout](const QString &name, const QString &tip) {
        QToolButton *button = iconButton(name, tip);
        layout->addWidget(button);
        return button;
    };
    m_compare = tool(QStringLiteral("split"), tr("Compare with the attempt before"));
    m_compare->setObjectName(QStringLiteral("compareAttempts"));
    m_compare->setText(tr("Compare with the attempt before"));
    m_compare->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_compare->setCheckable(true);
    m_compare->setEnabled(false);
    m_compare->hide();
    connect(m_compare, &QToolButton::toggled, this, &ConfigurationView::compare);
    m_search = tool(QStringLiteral("search"), tr("Find in the configuration"));
    connect(m_search, &QToolButton::clicked, this, [this] {
        if (m_find) {
            m_find->open(false);
        }
    });
    connect(tool(QStringLiteral("copy"), tr("Copy the configuration")), &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromUtf8(m_yaml)); });
}

void ConfigurationView::setText(const QByteArray &yaml, const QByteArray &before, const QString &note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    const bool isChanged = !before.isEmpty() && before != yaml;
    m_compare->setVisible(isChanged);
    m_compare->setEnabled(isChanged);
    if (yaml != m_yaml || before != m_before) {
        m_yaml = yaml;
        m_before = before;
        if (m_code) {
            m_code->setReadOnly(false);
            m_code->setAllBytes(m_yaml);
            m_code->setReadOnly(true);
        }
        compare(m_compare->isChecked());
    }
    if (!isChanged) {
        m_compare->setChecked(false);
    }
}

void ConfigurationView::compare(bool on)
{
    m_search->setEnabled(!on); // it looks in the text alone
    if (on && !m_diff) {
        m_diff = new DiffView;
        m_diff->setAccessibleName(tr("What was changed after the attempt before, secrets masked"));
        m_pages->addWidget(m_diff);
    }
    if (on) {
        m_diff->setTexts(m_before, m_yaml);
        m_diff->setCurrentChange(0);
        m_pages->setCurrentWidget(m_diff);
    } else if (m_code) {
        m_pages->setCurrentWidget(m_code->parentWidget());
    }
}

void ConfigurationView::make()
{
    m_code = new CodeView(CodeView::Language::Yaml);
    m_code->setAccessibleName(tr("Configuration, secrets masked"));
    m_code->setFrameShape(QFrame::NoFrame);
    m_code->SendScintilla(QsciScintillaBase::SCI_SETMARGINLEFT, 0UL, long(metrics::space3));
    m_code->setAllBytes(m_yaml);
    m_code->setReadOnly(true);
    m_find = new FindBar(m_code);
    m_find->hide();
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_code, 1);
    layout->addWidget(m_find);
    m_pages->addWidget(page);
    auto *find = new QShortcut(QKeySequence::Find, page);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] { m_find->open(false); });
}

void ConfigurationView::showEvent(QShowEvent *event)
{
    if (!m_code) {
        make();
    }
    QWidget::showEvent(event);
}

} // namespace trainyard
