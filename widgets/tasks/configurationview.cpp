// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/configurationview.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/findbar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard
{

ConfigurationView::ConfigurationView(QWidget *parent)
    : QWidget(parent), m_controls(new QWidget(this)), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    makeControls();
}

void ConfigurationView::makeControls()
{
    auto *layout = new QHBoxLayout(m_controls);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space1);
    const auto tool = [layout](const QString &name, const QString &tip) {
        auto *button = new QToolButton;
        button->setIcon(icon(name));
        button->setIconSize({metrics::rowIcon, metrics::rowIcon});
        button->setAutoRaise(true);
        button->setToolTip(plainTip(tip));
        button->setAccessibleName(tip);
        layout->addWidget(button);
        return button;
    };
    connect(tool(QStringLiteral("search"), tr("Find in the configuration")), &QToolButton::clicked, this, [this] {
        if (m_find) {
            m_find->open(false);
        }
    });
    connect(tool(QStringLiteral("copy"), tr("Copy the configuration")), &QToolButton::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(QString::fromUtf8(m_yaml)); });
}

void ConfigurationView::setText(const QByteArray &yaml)
{
    if (yaml == m_yaml) {
        return;
    }
    m_yaml = yaml;
    if (m_code) {
        m_code->setReadOnly(false);
        m_code->setAllBytes(m_yaml);
        m_code->setReadOnly(true);
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
    m_layout->addWidget(m_code, 1);
    m_layout->addWidget(m_find);
    auto *find = new QShortcut(QKeySequence::Find, this);
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
