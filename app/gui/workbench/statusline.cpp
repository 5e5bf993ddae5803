// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/statusline.h"

#include "app/gui/workbench/page.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/style.h"
#include "widgets/text/formats.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QToolButton>

namespace trainyard
{
namespace
{
constexpr int statusBarEdges = 5; // that a QStatusBar keeps above and below its widgets; it draws the line itself

class Dot final : public QWidget
{
public:
    Dot() { setFixedSize(8, 18); }
    Colour role = Colour::Muted;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour(role, this));
        painter.drawEllipse(QRectF(0.5, height() / 2.0 - 3.5, 7, 7));
    }
};

} // namespace

StatusLine::StatusLine(QWidget *parent)
    : QWidget(parent), m_problems(new QToolButton), m_dot(new Dot), m_engine(smallMutedLabel({})),
      m_gpu(new Meter(tr("GPU"))), m_cpu(new Meter(tr("CPU"))), m_memory(new Meter(tr("RAM"))), m_text(new ElidedLabel)
{
    setFixedHeight(metrics::statusLine - statusBarEdges);
    auto *layout = new QHBoxLayout(this);
    layout->setSpacing(metrics::space4);
    setSmall(m_problems);
    setButtonKind(m_problems, ButtonKind::Quiet);
    m_problems->setFont(fonts::small());
    m_problems->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_problems->setIconSize({14, 14});
    m_problems->setToolTip(tr("Show the problems of this document"));
    m_problems->setAccessibleName(tr("Problems"));
    layout->addWidget(m_problems);
    auto *engine = new QHBoxLayout;
    engine->setSpacing(6);
    engine->addWidget(m_dot);
    engine->addWidget(m_engine);
    layout->addLayout(engine);
    for (Meter *meter : {m_gpu, m_cpu, m_memory}) {
        layout->addWidget(meter);
        meter->hide();
    }
    m_text->setFont(fonts::small());
    m_text->setColour(Colour::Muted);
    m_text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    layout->addWidget(m_text, 1);
    connect(m_problems, &QToolButton::clicked, this, &StatusLine::problemsClicked);
    clearProblems();
}

void StatusLine::setProblems(const PageProblems &problems)
{
    const int errors = problems.errors, warnings = problems.warnings;
    m_problems->show();
    layout()->setContentsMargins(0, 0, metrics::space3, 0); // the button has room of its own
    if (errors == 0 && warnings == 0 && problems.isBeingChecked) {
        m_problems->setIcon(icon(QStringLiteral("clock"), Colour::Muted));
        m_problems->setText(tr("Checking…"));
    } else if (errors == 0 && warnings == 0) {
        m_problems->setIcon(icon(QStringLiteral("check"), Colour::Muted));
        m_problems->setText(tr("No errors"));
    } else {
        m_problems->setIcon(errors > 0 ? icon(QStringLiteral("error"), Colour::Failed)
                                       : icon(QStringLiteral("warning"), Colour::Waiting));
        QStringList words;
        if (errors > 0) {
            words.append(tr("%n error(s)", nullptr, errors));
        }
        if (warnings > 0) {
            words.append(tr("%n warning(s)", nullptr, warnings));
        }
        m_problems->setText(words.join(QStringLiteral(", ")));
    }
    m_problems->updateGeometry();
}

void StatusLine::clearProblems()
{
    m_problems->hide();
    layout()->setContentsMargins(metrics::space3, 0, metrics::space3, 0);
}

void StatusLine::setEngine(EngineClient::Status status, int activeJobs, const QString &error)
{
    auto *dot = static_cast<Dot *>(m_dot);
    m_engine->setToolTip(plainTip(error));
    switch (status) {
    case EngineClient::Status::Offline:
        dot->role = Colour::Muted;
        m_engine->setText(tr("Engine not running"));
        break;
    case EngineClient::Status::Connecting:
        dot->role = Colour::Waiting;
        m_engine->setText(tr("Connecting to the engine…"));
        break;
    case EngineClient::Status::Ready:
        dot->role = Colour::Succeeded;
        m_engine->setText(
            activeJobs == 0 ? tr("Engine ready, no jobs") : tr("Engine running, %n job(s)", nullptr, activeJobs));
        break;
    case EngineClient::Status::Failed:
        dot->role = Colour::Failed;
        m_engine->setText(tr("Engine cannot be reached"));
        break;
    }
    m_dot->update();
    if (status == EngineClient::Status::Offline || status == EngineClient::Status::Failed) {
        for (Meter *meter : {m_gpu, m_cpu, m_memory}) {
            meter->hide(); // nothing is measured
        }
    }
}

void StatusLine::setComputer(const HostInfo &host)
{
    const QLocale locale;
    int sum = 0;
    int known = 0;
    for (const GpuInfo &gpu : host.gpus) {
        if (gpu.utilPercent >= 0) {
            sum += gpu.utilPercent;
            ++known;
        }
    }
    m_gpu->setVisible(known > 0);
    if (known > 0) {
        m_gpu->setValue(sum / (100.0 * known), tr("%1 %").arg(sum / known));
    }
    m_cpu->setVisible(host.cpuPercent >= 0);
    if (host.cpuPercent >= 0) {
        m_cpu->setValue(host.cpuPercent / 100, tr("%1 %").arg(qRound(host.cpuPercent)));
    }
    m_memory->setVisible(host.memoryMiB > 0);
    if (host.memoryMiB > 0) {
        m_memory->setValue(double(host.memoryUsedMiB) / double(host.memoryMiB),
            tr("%1 of %2").arg(formatMiB(host.memoryUsedMiB), formatMiB(host.memoryMiB)));
    }
}

void StatusLine::setPageText(const QString &text)
{
    m_pageText = text;
    m_text->setText(text);
}

void StatusLine::setTip(const QString &text) { m_text->setText(text.isEmpty() ? m_pageText : text); }

void StatusLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), colour(Colour::Window, this));
}

} // namespace trainyard
